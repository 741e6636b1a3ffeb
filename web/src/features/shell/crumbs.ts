import { useMatches } from '@tanstack/react-router';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Name of the page in the breadcrumbs and the title of the window. */
    crumb?: string;
    /** Part of the rail to which the page belongs, such as 'Reports'. */
    section?: string;
  }
}

export interface Crumb {
  label: string;
  /** Absent: not a page of its own, or the page itself. */
  to?: string;
}

/** Way from the dashboard to the page that is shown, from the `staticData` of its routes. */
export function useCrumbs(): Crumb[] {
  return useMatches().flatMap(({ staticData, pathname }) => {
    if (staticData.crumb === undefined) return [];
    const page = { label: staticData.crumb, to: pathname };
    return staticData.section === undefined ? [page] : [{ label: staticData.section }, page];
  });
}
