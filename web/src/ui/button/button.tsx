import { Button as Base } from '@base-ui/react/button';
import { cx } from 'class-variance-authority';
import type { ComponentProps, ReactNode } from 'react';
import { buttonStyle, type ButtonStyle } from './button-style.ts';
import { Spinner } from '../feedback/spinner.tsx';
import { Tooltip } from '../popup/tooltip.tsx';

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'className' | 'style'> {
  /** At most one `primary` per screen. */
  variant?: Exclude<ButtonStyle['variant'], null>;
  size?: Exclude<ButtonStyle['size'], null>;
  icon?: ReactNode;
  /** Replaces the icon with a spinner and disables the button. */
  busy?: boolean;
  /** Why the button cannot be used; disables it, but keeps it focusable and shows the reason. */
  disabledReason?: string | undefined;
  className?: string;
}

/** A button that keeps the focus while busy or disabled, so that keyboard users keep their position. */
export function Button({
  variant,
  size,
  icon,
  busy = false,
  disabled = false,
  disabledReason,
  className,
  children,
  ...props
}: ButtonProps) {
  const button = (
    <Base
      type="button"
      {...props}
      disabled={disabled || busy || disabledReason !== undefined}
      focusableWhenDisabled
      aria-busy={busy || undefined}
      className={cx(buttonStyle({ variant, size }), className)}
    >
      {busy ? <Spinner /> : icon}
      {children}
    </Base>
  );
  if (disabledReason === undefined) return button;
  return <Tooltip content={disabledReason}>{button}</Tooltip>;
}
