import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { useCrumbs } from './crumbs.ts';

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
