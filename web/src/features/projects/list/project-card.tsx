import type { Project } from '@riskboard/contract';
import { formatCount, plural } from '@riskboard/domain';
import { Link } from '@tanstack/react-router';
import { Boxes, Bug, CalendarDays, ShieldAlert, type LucideIcon } from 'lucide-react';
import { pagesOf } from '../../../lib/entity/entity.ts';
import { Badge } from '../../../ui/badge/badge.tsx';
import { ProgressBar } from '../../../ui/feedback/progress-bar.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { Day } from '../../../ui/text/time.tsx';
import { ProjectStatusBadge } from '../status-badge.tsx';
import { ProjectMenu } from './project-menu.tsx';

/** Also of the placeholder, so that nothing moves when the cards arrive. */
const frame = 'flex min-h-46 min-w-0 flex-col gap-3 rounded border bg-surface p-4';

interface CountProps {
  Icon: LucideIcon;
  count: number;
  one: string;
  many: string;
}

function Count({ Icon, count, one, many }: CountProps) {
  return (
    <li className="flex items-center gap-1" title={plural(count, one, many)}>
      <Icon aria-hidden size={14} />
      {formatCount(count)}
      <span className="sr-only">{count === 1 ? one : many}</span>
    </li>
  );
}

interface ProjectCardProps {
  project: Project;
  /** Index on the page. */
  index: number;
  /** The server has not answered yet: the project has no page. */
  isPending: boolean;
}

/** A project in the grid (spec 2, Project dashboard): a click anywhere on it opens its page. */
export function ProjectCard({ project, index, isPending }: ProjectCardProps) {
  const { _id, name, description, status, progress, startDate, assets, threats, vulnerabilities } = project;
  return (
    <article
      data-index={index}
      tabIndex={-1}
      aria-label={name}
      className={`${frame} relative transition-colors outline-none hover:border-line-strong has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-focus`}
    >
      <header className="flex items-start justify-between gap-2">
        <h2 className="min-w-0 truncate font-semibold" title={name}>
          {isPending ? (
            name
          ) : (
            // The link covers the card; the menu is above it.
            <Link
              to={pagesOf('projects').detail}
              params={{ id: _id }}
              className="outline-none after:absolute after:inset-0 hover:text-accent-text"
            >
              {name}
            </Link>
          )}
        </h2>
        <span className="flex shrink-0 items-center gap-1">
          {isPending ? <Badge tone="neutral">Creating…</Badge> : <ProjectStatusBadge status={status} />}
          {!isPending && (
            <span className="relative z-10 -my-1 -mr-2">
              <ProjectMenu project={project} />
            </span>
          )}
        </span>
      </header>
      <p className="line-clamp-2 min-h-10 text-sm break-words text-muted">{description}</p>
      <div className="mt-auto flex items-center gap-2 text-sm tabular-nums">
        <ProgressBar
          label={`Progress of ${name}`}
          value={progress / 100}
          tone={status === 'completed' ? 'success' : 'accent'}
        />
        <span className="w-10 shrink-0 text-right whitespace-nowrap text-muted">{progress}%</span>
      </div>
      <footer className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-sm text-muted tabular-nums">
        <span className="flex items-center gap-1" title="Start date">
          <CalendarDays aria-hidden size={14} />
          <span className="sr-only">Start date</span>
          <Day value={startDate} />
        </span>
        <ul className="flex items-center gap-3">
          <Count Icon={Boxes} count={assets} one="asset" many="assets" />
          <Count Icon={ShieldAlert} count={threats} one="threat" many="threats" />
          <Count Icon={Bug} count={vulnerabilities} one="vulnerability" many="vulnerabilities" />
        </ul>
      </footer>
    </article>
  );
}

/** The outline of a card while the projects load. */
export function ProjectCardSkeleton() {
  return (
    <div aria-hidden className={frame}>
      <Skeleton width="55%" />
      <span className="flex min-h-10 flex-col gap-2">
        <Skeleton width="90%" />
        <Skeleton width="70%" />
      </span>
      <span className="mt-auto">
        <Skeleton width="100%" />
      </span>
      <Skeleton width="45%" />
    </div>
  );
}
