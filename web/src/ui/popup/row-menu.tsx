import { Ellipsis } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../button/icon-button.tsx';
import { Menu } from './menu.tsx';

interface RowMenuProps {
  /** Name of the row in 'Actions for …'. */
  name: string;
  /** `MenuItem`s. */
  children: ReactNode;
}

/** Actions of one row of a list. */
export function RowMenu({ name, children }: RowMenuProps) {
  return (
    <Menu
      trigger={
        <IconButton size="sm" label={`Actions for ${name}`} icon={<Ellipsis aria-hidden size={16} />} />
      }
    >
      {children}
    </Menu>
  );
}
