import { createLink } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import { buttonStyle, type ButtonStyle } from './button-style.ts';
import { ButtonWithReason } from './button-with-reason.tsx';

interface LinkButtonProps extends Omit<ComponentProps<'a'>, 'className' | 'style'> {
  /** At most one `primary` per screen. */
  variant?: Exclude<ButtonStyle['variant'], null>;
  size?: Exclude<ButtonStyle['size'], null>;
  icon?: ReactNode;
  /** Why the user may not open it; renders a disabled button with the reason instead of the link. */
  disabledReason?: string | undefined;
}

function PlainLinkButton({ variant, size, icon, disabledReason, children, ...link }: LinkButtonProps) {
  if (disabledReason !== undefined) {
    return (
      <ButtonWithReason variant={variant} size={size} icon={icon} disabledReason={disabledReason}>
        {children}
      </ButtonWithReason>
    );
  }
  return (
    <a {...link} className={buttonStyle({ variant, size })}>
      {icon}
      {children}
    </a>
  );
}

/** A link that looks like a button: `<LinkButton to="/dashboard/threats/new" variant="primary">…`. */
export const LinkButton = createLink(PlainLinkButton);
