import { useCrumbs } from './crumbs.ts';

/** Title of the window: the page, then the product. */
export function WindowTitle() {
  const page = useCrumbs().at(-1)?.label;
  return <title>{page === undefined ? 'Riskboard' : `${page} · Riskboard`}</title>;
}
