import { batches, type Batch } from '@riskboard/contract';
import { formatCount, plural } from '@riskboard/domain';
import { useQuery } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { isMissing } from '../../lib/api/errors.ts';
import { useNamedPage } from '../../lib/browser/page-name.ts';
import { useRefusal } from '../../lib/session/use-refusal.ts';
import { Badge } from '../../ui/badge/badge.tsx';
import { ButtonWithReason } from '../../ui/button/button-with-reason.tsx';
import { LoadFailed } from '../../ui/feedback/load-failed.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { lazyPart } from '../../ui/layout/lazy-part.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import type { HowChanged } from '../../ui/list/list-control.ts';
import { Time } from '../../ui/text/time.tsx';
import { BatchActions, useChangeBatch } from './batch-actions.tsx';
import type { BatchFilesSearch } from './batch-files-source.ts';
import { batchLook, missingFiles } from './batch-labels.ts';
import { BatchTotals } from './batch-totals.tsx';
import { batchQuery } from './queries.ts';

// The table starts below the totals, which show without it.
const BatchFiles = lazyPart(
  async () => (await import('./batch-files.tsx')).BatchFiles,
  <Skeleton width="100%" />,
);

interface BatchPageProps {
  batchId: string;
  search: BatchFilesSearch;
  onSearch: (search: BatchFilesSearch, how?: HowChanged) => void;
  /** Button that sends the missing files; null while this tab sends them. */
  continueUpload: ComponentType<{ batch: Batch }> | null;
}

/** A batch: live totals, its actions, and every file with its result. */
export function BatchPage({ batchId, search, onSearch, continueUpload }: BatchPageProps) {
  const query = useQuery(batchQuery(batchId));
  const { data: batch, error } = query;
  useNamedPage(batch?.name);
  if (batch === undefined && error !== null)
    return (
      <LoadFailed
        heading="Batch"
        title={isMissing(error) ? 'Batch not found' : 'Failed to load the batch.'}
        missing="The address may be mistyped."
        query={query}
        list={{ to: '/dashboard/batches', label: 'All batches' }}
      />
    );
  if (batch === undefined) return <Skeleton width="40%" />;
  const look = batchLook(batch);
  return (
    <>
      <PageHeader
        title={
          <span className="flex flex-wrap items-center gap-3">
            {batch.name}
            <Badge tone={look.tone}>{look.label}</Badge>
          </span>
        }
        description={
          <>
            Started <Time value={batch.createdAt} />
            {batch.finishedAt !== null && (
              <>
                {' · ended '}
                <Time value={batch.finishedAt} />
              </>
            )}
          </>
        }
        actions={<BatchActions batch={batch} />}
      />
      <MissingFiles batch={batch} continueUpload={continueUpload} />
      <NotReceived batch={batch} />
      <BatchTotals batch={batch} />
      <BatchFiles batchId={batchId} search={search} onSearch={onSearch} />
    </>
  );
}

const sentElsewhere =
  'Another tab or member seems to be sending the rest. If not, choose the same files again: only the missing ones are sent.';
const interrupted =
  'The upload seems to be interrupted. Choose the same files again: only the missing ones are sent.';

/** The files that a cancelled batch announced and has not received; its totals are those of the received ones. */
function NotReceived({ batch: { status, planned, files } }: { batch: Batch }) {
  const missing = (planned?.files ?? 0) - files;
  if (status !== 'cancelled' || missing <= 0) return null;
  return (
    <div className="mb-5">
      <Notice>{plural(missing, 'announced file was', 'announced files were')} not received.</Notice>
    </div>
  );
}

/**
 * What was received of a batch that this tab does not send, and how to go on. While files arrive, someone else sends them:
 * finishing without them is offered once nothing has arrived for a while.
 */
function MissingFiles({
  batch,
  continueUpload: ContinueUpload,
}: Pick<BatchPageProps, 'continueUpload'> & { batch: Batch }) {
  const refusal = useRefusal(batches.close.access);
  const { mutate, isPending } = useChangeBatch(batch._id);
  const missing = missingFiles(batch);
  if (missing === 0 || ContinueUpload === null) return null;
  const { files, lastReceivedAt, uploading } = batch;
  return (
    <section
      aria-label="Missing files"
      className={`mb-5 flex flex-wrap items-center justify-between gap-3 rounded border px-4 py-3 ${uploading ? 'bg-surface' : 'bg-warning-soft'}`}
    >
      <p className="min-w-0 grow basis-80 text-sm">
        {formatCount(files)} of {formatCount(files + missing)} files were received
        {lastReceivedAt !== null && (
          <>
            , data last arrived <Time value={lastReceivedAt} />
          </>
        )}
        . {uploading ? sentElsewhere : interrupted}
      </p>
      <div className="flex flex-wrap gap-2">
        {!uploading && (
          <ButtonWithReason disabledReason={refusal} busy={isPending} onClick={() => mutate('close')}>
            Finish without them
          </ButtonWithReason>
        )}
        <ContinueUpload batch={batch} />
      </div>
    </section>
  );
}
