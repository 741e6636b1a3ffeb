import { Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { pagesOf, type Entity } from '../../lib/entity/entity.ts';
import { capitalized } from '../../lib/entity/messages.ts';
import { useDelayed } from '../../lib/hooks/use-delayed.ts';
import { loneLinkStyle } from '../button/link-style.ts';
import { PathLink } from '../button/path-link.tsx';
import { EmptyState } from '../feedback/empty-state.tsx';
import { LoadFailed } from '../feedback/load-failed.tsx';
import { Skeleton } from '../feedback/skeleton.tsx';
import { Card } from '../layout/card.tsx';
import { PageHeader } from '../layout/page-header.tsx';

/** The outline of a record's page while it loads; invisible for the first 150 ms. */
export function RecordLoading() {
  const shown = useDelayed(true);
  if (!shown) return <output aria-label="Loading" className="block min-h-dvh" />;
  return (
    <output aria-label="Loading" className="block min-h-dvh">
      <span className="mb-6 flex flex-col gap-3">
        <Skeleton width="min(320px, 60%)" />
        <Skeleton width="min(200px, 40%)" />
      </span>
      <span className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_360px]">
        {[6, 9].map((lines) => (
          <span key={lines} className="flex flex-col gap-4 self-start rounded border bg-surface p-4">
            {Array.from({ length: lines }, (_, line) => (
              <Skeleton key={line} width={`${50 + ((line * 17) % 45)}%`} />
            ))}
          </span>
        ))}
      </span>
    </output>
  );
}

/** The outline of a record in the pane beside its list; invisible for the first 150 ms. */
export function PeekLoading() {
  const shown = useDelayed(true);
  return (
    <div aria-hidden className="flex flex-col gap-4 p-5">
      {shown && ['40%', '70%', '55%', '65%', '45%'].map((width) => <Skeleton key={width} width={width} />)}
    </div>
  );
}

/** Instead of the fields of a record that was deleted while they were shown. */
export const RecordDeleted = ({ entity, action }: { entity: Pick<Entity, 'one'>; action?: ReactNode }) => (
  <EmptyState
    icon={<Trash2 aria-hidden size={20} />}
    title={`This ${entity.one} was deleted`}
    description="It was deleted while this page was open."
    action={action}
  />
);

interface DeletedPageProps {
  entity: Pick<Entity, 'one'>;
  name: string;
  /** The page that lists all records. */
  list: { readonly to: string; readonly label: string };
}

/** Instead of a record that was deleted elsewhere while its page was open. */
export const DeletedPage = ({ entity, name, list }: DeletedPageProps) => (
  <>
    <PageHeader title={name} />
    <Card>
      <RecordDeleted
        entity={entity}
        action={
          <PathLink path={list.to} className={loneLinkStyle}>
            {list.label}
          </PathLink>
        }
      />
    </Card>
  </>
);

/** Title of a record that failed to load (spec 8, Inline messages). */
export const loadingFailed = ({ one }: Pick<Entity, 'one'>): string => `Error Loading ${capitalized(one)}`;

interface RecordFailedProps {
  entity: Entity;
  /** The query that failed. */
  query: { readonly error: unknown; readonly isFetching: boolean; refetch(): unknown };
}

/** Instead of a record that could not be loaded. An address with a malformed id is one of an unknown record. */
export const RecordFailed = ({ entity, query }: RecordFailedProps) => (
  <LoadFailed
    heading={capitalized(entity.one)}
    title={loadingFailed(entity)}
    missing={`${capitalized(entity.one)} not found.`}
    text={entity.messages.loadFailed}
    query={query}
    list={{ to: pagesOf(entity.noun).list, label: `All ${entity.many}` }}
  />
);
