import { Button as Base } from '@base-ui/react/button';
import { cx } from 'class-variance-authority';
import type { ComponentProps, ReactNode } from 'react';
import { buttonStyle, type ButtonStyle } from './button-style.ts';
import { Tooltip } from '../popup/tooltip.tsx';

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'className' | 'style' | 'children'> {
  /** Name for screen readers, and the tooltip. */
  label: string;
  icon: ReactNode;
  variant?: Exclude<ButtonStyle['variant'], null>;
  size?: Exclude<ButtonStyle['size'], null>;
  /** Why the button cannot be used; shown as the tooltip. */
  disabledReason?: string | undefined;
  /** No tooltip. A tooltip would handle the first Escape instead of the enclosing dialog. */
  quiet?: boolean;
  className?: string;
}

/** A square button with only an icon; at least 28 px (WCAG 2.5.8). */
export function IconButton({
  label,
  icon,
  variant = 'ghost',
  size,
  disabled = false,
  disabledReason,
  quiet = false,
  className,
  ...props
}: IconButtonProps) {
  const button = (
    <Base
      type="button"
      {...props}
      aria-label={label}
      disabled={disabled || disabledReason !== undefined}
      focusableWhenDisabled
      className={cx(buttonStyle({ variant, size, square: true }), className)}
    >
      {icon}
    </Base>
  );
  if (quiet) return button;
  return (
    <Tooltip content={disabledReason ?? label} isReason={disabledReason !== undefined}>
      {button}
    </Tooltip>
  );
}
