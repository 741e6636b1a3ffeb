import { useMenuParts } from './menu-parts.ts';
/** Sets groups of a `Menu` apart. */
export function MenuSeparator() {
  const Base = useMenuParts();
  return <Base.Separator className="-mx-1 my-1 h-px bg-line" />;
}
