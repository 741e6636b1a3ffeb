import type { Batch } from '@riskboard/contract';
import { formatCount, plural } from '@riskboard/domain';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Layers } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { formatSize } from '../../lib/format/format.ts';
import { Badge } from '../../ui/badge/badge.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ProgressBar } from '../../ui/feedback/progress-bar.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import type { HowChanged } from '../../ui/list/list-control.ts';
import { Pager } from '../../ui/list/pager.tsx';
import { useLastPage } from '../../ui/list/use-last-page.ts';
import { PlainTable, type PlainColumn } from '../../ui/table/plain-table.tsx';
import { Time } from '../../ui/text/time.tsx';
import { hiddenFrom } from '../../ui/table/table-style.ts';
import { batchLook, progressOf } from './batch-labels.ts';
import { batchesPerPage, batchesQuery, isActive } from './queries.ts';

interface BatchesPageProps {
  page: number;
  onPage: (page: number, how?: HowChanged) => void;
  /** Button of the header and of the empty list. */
  upload: ReactNode;
}

/** All batches, newest first. */
export function BatchesPage({ page, onPage, upload }: BatchesPageProps) {
  const query = useQuery(batchesQuery(page));
  const total = query.data?.total ?? 0;
  useLastPage(
    { page, pageSize: batchesPerPage, total: query.isPlaceholderData ? undefined : query.data?.total },
    (last) => onPage(last, { replace: true }),
  );
  return (
    <>
      <PageHeader
        title="Batches"
        description="Uploads of many files, with the result of each file."
        actions={upload}
      />
      <Card>
        <PlainTable
          label="Batches"
          columns={columns}
          rowId={({ _id }) => _id}
          query={{ data: query.data?.batches, error: query.error, refetch: query.refetch }}
          failure="Failed to load batches."
          total={total}
          empty={
            <EmptyState
              icon={<Layers aria-hidden size={20} />}
              title="No batches yet."
              description="Upload 10 or more files at once to follow them as one batch."
            />
          }
        />
        {total > batchesPerPage && (
          <div className="border-t">
            <Pager
              page={page}
              pageSize={batchesPerPage}
              pageSizes={[batchesPerPage]}
              total={total}
              onPage={onPage}
              onPageSize={() => undefined}
            />
          </div>
        )}
      </Card>
    </>
  );
}

/** The parts of the sentence about the result of a batch. */
function resultParts({ files, bytes, created, updated, unchanged, states, issues }: Batch): string[] {
  const ended = [
    states.failed > 0 && `${formatCount(states.failed)} failed`,
    states.cancelled > 0 && `${formatCount(states.cancelled)} cancelled`,
    issues > 0 && plural(issues, 'issue'),
  ].filter((part) => part !== false);
  const size = `${plural(files, 'file')}, ${formatSize(bytes)}`;
  const records = `${plural(created, 'record')} created`;
  const others = [`${formatCount(updated)} updated`, `${formatCount(unchanged)} unchanged`, ...ended];
  return [`${size}: ${records}`, ...others];
}

function BatchProgress({ batch }: { batch: Batch }) {
  const { ended, done, expected } = progressOf(batch);
  return (
    <div className="flex flex-col gap-1 text-sm whitespace-normal text-muted tabular-nums">
      {isActive(batch) && (
        <>
          <span>
            {formatCount(done)} of {formatCount(expected)} files done
          </span>
          <ProgressBar label={`Progress of ${batch.name}`} value={expected === 0 ? 0 : ended / expected} />
        </>
      )}
      <span>
        {resultParts(batch).map((part, n) => (
          <Fragment key={part}>
            {n > 0 && ', '}
            {/* A number stays with its noun. */}
            <span className={n > 0 ? 'whitespace-nowrap' : undefined}>{part}</span>
          </Fragment>
        ))}
      </span>
    </div>
  );
}

function BatchBadge({ batch }: { batch: Batch }) {
  const { label, tone } = batchLook(batch);
  return <Badge tone={tone}>{label}</Badge>;
}

const columns: PlainColumn<Batch>[] = [
  {
    label: 'Batch',
    rowHeader: true,
    cell: (batch) => (
      <div className="flex flex-col items-start gap-1">
        <Link
          to="/dashboard/batches/$batchId"
          params={{ batchId: batch._id }}
          className="font-medium wrap-anywhere whitespace-normal hover:text-accent-text hover:underline sm:line-clamp-2"
        >
          {batch.name}
        </Link>
        {/* Narrow tables have no columns for state and result, so that the name has room. */}
        <span className={hiddenFrom.sm}>
          <BatchBadge batch={batch} />
        </span>
        <div className={`w-full ${hiddenFrom.md}`}>
          <BatchProgress batch={batch} />
        </div>
      </div>
    ),
  },
  { label: 'State', from: 'sm', width: 208, narrowWidth: 176, cell: (batch) => <BatchBadge batch={batch} /> },
  {
    label: 'Result',
    from: 'md',
    width: 360,
    narrowWidth: 280,
    cell: (batch) => <BatchProgress batch={batch} />,
  },
  {
    label: 'Started',
    from: 'sm',
    width: 144,
    narrowWidth: 120,
    cell: ({ createdAt }) => <Time value={createdAt} />,
  },
];
