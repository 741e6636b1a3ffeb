import { Button, type ButtonProps } from './button.tsx';
import { Tooltip } from '../popup/tooltip.tsx';

interface ButtonWithReasonProps extends ButtonProps {
  /** Why the button cannot be used; disables it, and the tooltip shows it. Undefined: the button can be used. */
  disabledReason: string | undefined;
}

/** A button that a rule may disable. Separate from `Button`, so that the login does not load the tooltip. */
export function ButtonWithReason({ disabledReason, disabled = false, ...props }: ButtonWithReasonProps) {
  const button = <Button {...props} disabled={disabled || disabledReason !== undefined} />;
  if (disabledReason === undefined) return button;
  return (
    <Tooltip content={disabledReason} isReason>
      {button}
    </Tooltip>
  );
}
