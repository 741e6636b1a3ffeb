import { Button as Base } from '@base-ui/react/button';
import { cx } from 'class-variance-authority';
import type { ComponentProps, ReactNode } from 'react';
import { buttonStyle, type ButtonStyle } from './button-style.ts';
import { Spinner } from '../feedback/spinner.tsx';

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'className' | 'style'> {
  /** At most one `primary` per screen. */
  variant?: Exclude<ButtonStyle['variant'], null>;
  size?: Exclude<ButtonStyle['size'], null>;
  icon?: ReactNode;
  /** Replaces the icon with a spinner and disables the button. */
  busy?: boolean;
  className?: string;
}

/** A button that keeps the focus while busy or disabled, so that keyboard users keep their position. */
export function Button({
  variant,
  size,
  icon,
  busy = false,
  disabled = false,
  className,
  children,
  ...props
}: ButtonProps) {
  return (
    <Base
      type="button"
      {...props}
      disabled={disabled || busy}
      focusableWhenDisabled
      aria-busy={busy || undefined}
      className={cx(buttonStyle({ variant, size }), className)}
    >
      {busy ? <Spinner /> : icon}
      {children}
    </Base>
  );
}
