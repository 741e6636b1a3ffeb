import { createLink } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import { buttonStyle, type ButtonStyle } from './button-style.ts';
import { Button } from './button.tsx';

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
      <Button variant={variant} size={size} icon={icon} disabledReason={disabledReason}>
        {children}
      </Button>
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
