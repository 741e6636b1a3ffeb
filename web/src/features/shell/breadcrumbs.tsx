import { Link, useMatches } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { usePageName } from '../../lib/browser/page-name.ts';

/** Where one is. Screens without the rail show the page alone: its name must not give way to its parents'. */
export function Breadcrumbs() {
  const crumbs = useCrumbs();
  const last = crumbs.length - 1;
  return (
    <nav aria-label="Breadcrumbs" className="min-w-0">
      <ol className="flex min-w-0 items-center gap-1.5 text-sm">
        {crumbs.map(({ label, to }, index) => (
          <li
            key={`${to} ${label}`}
            className={
              index === last ? 'min-w-0 truncate' : 'hidden shrink-0 items-center gap-1.5 text-muted lg:flex'
            }
          >
            {index === last && <span aria-current="page">{label}</span>}
            {index !== last &&
              (to === undefined ? (
                label
              ) : (
                <Link to={to} className="rounded hover:text-text">
                  {label}
                </Link>
              ))}
            {index !== last && <ChevronRight aria-hidden size={14} />}
          </li>
        ))}
      </ol>
    </nav>
  );
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Name of the page in the breadcrumbs and the title of the window. */
    crumb?: string;
    /** Part of the rail to which the page belongs, such as 'Reports'; with its address where it has a page. */
    section?: string | Required<Crumb>;
  }
}

interface Crumb {
  label: string;
  /** Absent: not a page of its own, or the page itself. */
  to?: string;
}

/** Way from the dashboard to the page that is shown, from the `staticData` of its routes and what the page names. */
function useCrumbs(): Crumb[] {
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

/** Title of the window: the page, then the product. */
export function WindowTitle() {
  const page = useCrumbs().at(-1)?.label;
  return <title>{page === undefined ? 'Riskboard' : `${page} · Riskboard`}</title>;
}
