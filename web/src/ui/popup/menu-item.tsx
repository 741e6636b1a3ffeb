import type { ReactNode } from 'react';
import { menuItemStyle } from './menu-item-style.ts';
import { useMenuParts } from './menu-parts.ts';

export interface MenuItemProps {
  icon?: ReactNode;
  onSelect: () => void;
  danger?: boolean;
  /** Why the action cannot be taken; shown below its name. */
  disabledReason?: string | undefined;
  children: ReactNode;
}

/** One action of a `Menu`. */
export function MenuItem({ icon, onSelect, danger = false, disabledReason, children }: MenuItemProps) {
  const Base = useMenuParts();
  return (
    <Base.Item
      onClick={onSelect}
      disabled={disabledReason !== undefined}
      className={menuItemStyle({ danger: danger && disabledReason === undefined })}
    >
      {icon}
      <span className="flex flex-col">
        {children}
        {disabledReason !== undefined && <span className="text-xs">{disabledReason}</span>}
      </span>
    </Base.Item>
  );
}
