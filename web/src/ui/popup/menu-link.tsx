import type { ReactElement, ReactNode } from 'react';
import { menuItemStyle } from './menu-item-style.ts';
import { useMenuParts } from './menu-parts.ts';

interface MenuLinkProps {
  icon?: ReactNode;
  /** The link itself, without content: `<Link to="/dashboard/settings" />`. */
  link: ReactElement;
  children: ReactNode;
}

/** One way on of a `Menu`: a link, so that it opens in a new tab where one wants it to. */
export function MenuLink({ icon, link, children }: MenuLinkProps) {
  const Base = useMenuParts();
  return (
    <Base.Item render={link} className={menuItemStyle()}>
      {icon}
      {children}
    </Base.Item>
  );
}
