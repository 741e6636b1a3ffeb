import { Menu as Base } from '@base-ui/react/menu';

/** Sets groups of a `Menu` apart. */
export function MenuSeparator() {
  return <Base.Separator className="-mx-1 my-1 h-px bg-line" />;
}
