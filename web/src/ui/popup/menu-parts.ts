import type { Menu } from '@base-ui/react/menu';
import { createContext, use } from 'react';

/** What the entries of a menu are made of; it comes with the panel they stand in. */
export const MenuParts = createContext<typeof Menu | null>(null);

export function useMenuParts(): typeof Menu {
  const parts = use(MenuParts);
  if (parts === null) throw new Error('An entry stands outside of its Menu.');
  return parts;
}
