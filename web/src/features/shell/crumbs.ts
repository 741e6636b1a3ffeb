import { useMatches } from '@tanstack/react-router';
import { usePageName } from '../../lib/browser/page-name.ts';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Name of the page in the breadcrumbs and the title of the window. */
    crumb?: string;
    /** Part of the rail to which the page belongs, such as 'Reports'; with its address where it has a page. */
    section?: string | Required<Crumb>;
  }
}

export interface Crumb {
  label: string;
  /** Absent: not a page of its own, or the page itself. */
  to?: string;
}

/** Way from the dashboard to the page that is shown, from the `staticData` of its routes and what the page names. */
export function useCrumbs(): Crumb[] {
  const name = usePageName();
  const crumbs = useMatches().flatMap(({ staticData: { crumb, section }, pathname }): Crumb[] => {
    if (crumb === undefined) return [];
    const page = { label: crumb, to: pathname };
    if (section === undefined) return [page];
    return [typeof section === 'string' ? { label: section } : section, page];
  });
  const last = crumbs.at(-1);
  return last === undefined || name === undefined
    ? crumbs
    : [...crumbs.slice(0, -1), { ...last, label: name }];
}
