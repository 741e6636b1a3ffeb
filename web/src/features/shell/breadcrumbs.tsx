import { Link, useLocation, useMatches } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { usePageName } from '../../lib/browser/page-name.ts';
import { useStore } from '../../lib/browser/store.ts';
import { workProgress } from '../../lib/browser/work-progress.ts';
import { useDebounced } from '../../lib/hooks/use-debounced.ts';
import { nameText } from '../../lib/format/name-text.ts';

/** Breadcrumbs of the current page. A narrow top bar shows only the page, so that its name has room. */
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
              index === last
                ? 'min-w-0 truncate'
                : 'hidden shrink-0 items-center gap-1.5 text-muted @4xl/top:flex'
            }
          >
            {index === last && <span aria-current="page">{label}</span>}
            {index !== last &&
              (to === undefined ? (
                label
              ) : (
                <Link to={to} activeOptions={{ exact: true }} className="rounded hover:text-text">
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
    /** Name of the page in the breadcrumbs and the window title. */
    crumb?: string;
    /** Section of the rail that the page belongs to, such as 'Reports'; with its URL where the section has a page. */
    section?: string | Required<Crumb>;
  }
}

interface Crumb {
  label: string;
  /** Absent when it is not a page, or is the current page. */
  to?: string;
}

/** Path from the dashboard to the current page, from the `staticData` of its routes and the name that the page sets. */
function useCrumbs(): Crumb[] {
  const name = usePageName();
  const crumbs = useMatches().flatMap(({ staticData: { crumb, section }, pathname }): Crumb[] => {
    if (crumb === undefined) return [];
    const page = { label: crumb, to: pathname };
    if (section === undefined) return [page];
    return [typeof section === 'string' ? { label: section } : section, page];
  });
  return name === undefined ? crumbs : [...crumbs.slice(0, -1), { ...crumbs.at(-1), label: name }];
}

/** Announces each page that is opened after the first, which the browser announces itself. */
export function PageAnnouncer() {
  const pathname = useLocation({ select: (location) => location.pathname });
  const [first] = useState(pathname);
  const [moved, setMoved] = useState(false);
  if (!moved && pathname !== first) setMoved(true);
  // A record's name arrives after its page.
  const page = useDebounced(useCrumbs().at(-1)?.label, 300);
  return (
    <p aria-live="polite" className="sr-only">
      {moved && page !== undefined && `${nameText(page)} · Riskboard`}
    </p>
  );
}

/** Window title: the progress of the background jobs, the page, then the product. */
export function WindowTitle() {
  const page = useCrumbs().at(-1)?.label;
  const progress = useStore(workProgress);
  const percent = progress === null ? '' : `${Math.floor(progress * 100)}% · `;
  return <title>{`${percent}${page === undefined ? '' : `${nameText(page)} · `}Riskboard`}</title>;
}
