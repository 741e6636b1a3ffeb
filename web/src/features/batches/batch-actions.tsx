import { batches, type Batch } from '@riskboard/contract';
import { formatCount, plural } from '@riskboard/domain';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Ban, Download, Pause, Play, Printer, RotateCw } from 'lucide-react';
import { addressOf, call } from '../../lib/api/call.ts';
import { messageOf } from '../../lib/api/errors.ts';
import { downloadFrom } from '../../lib/browser/save-as.ts';
import { useRefusal } from '../../lib/session/use-refusal.ts';
import { ApiLink } from '../../ui/button/api-link.tsx';
import { ButtonWithReason } from '../../ui/button/button-with-reason.tsx';
import { Button } from '../../ui/button/button.tsx';
import { LazyAlertDialog } from '../../ui/dialog/lazy-alert-dialog.ts';
import { toast } from '../../ui/feedback/toast.ts';
import { progressOf } from './batch-labels.ts';
import { batchQuery, isActive } from './queries.ts';

const failures = {
  pause: 'Failed to pause the batch',
  resume: 'Failed to resume the batch',
  cancel: 'Failed to cancel the batch',
  close: 'Failed to finish the batch',
  retry: 'Failed to retry the files',
} as const;
export type BatchAction = keyof typeof failures;

/** Changes a batch; the page shows the reply at once. */
export function useChangeBatch(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    async mutationFn(action: BatchAction): Promise<Batch> {
      const params = { id };
      if (action !== 'retry') return call(batches[action], { params });
      const { batch, retried } = await call(batches.retry, { params });
      toast.success('Retry started', `${plural(retried, 'file')} will be read again.`);
      return batch;
    },
    onSuccess: (batch) => queryClient.setQueryData(batchQuery(id).queryKey, batch),
    onError: (error, action) => void toast.error(failures[action], messageOf(error, 'Please try again.')),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['batches'] }),
  });
}

/** What a cancellation ends. */
function unfinishedText(batch: Batch): string {
  const { ended, expected } = progressOf(batch);
  return expected === ended
    ? 'No more files are received.'
    : `${plural(expected - ended, 'file')} will not be read.`;
}

/** Report, retry, pause or resume, and cancel. */
export function BatchActions({ batch }: { batch: Batch }) {
  const refusal = useRefusal(batches.cancel.access);
  const { mutate, isPending, variables } = useChangeBatch(batch._id);
  const busy = (action: BatchAction) => isPending && variables === action;
  const active = isActive(batch);
  const download = useRef<HTMLButtonElement>(null);
  const pause = useRef<HTMLButtonElement>(null);
  const acted = useRef(false);
  const [isCancelling, setCancelling] = useState(false);

  function act(action: BatchAction): void {
    acted.current = true;
    mutate(action);
  }

  // The button of an action may go with it, which leaves the focus nowhere.
  useEffect(() => {
    if (acted.current && document.activeElement === document.body)
      (pause.current ?? download.current)?.focus();
    acted.current &&= isPending;
  });
  return (
    <>
      <Button
        ref={download}
        icon={<Download aria-hidden size={14} />}
        disabled={batch.files === 0}
        onClick={() =>
          void downloadFrom(addressOf(batches.filesExport, { params: { id: batch._id } }), 'batch.csv')
        }
      >
        Download report
      </Button>
      <ApiLink
        href={addressOf(batches.report, { params: { id: batch._id } })}
        icon={<Printer aria-hidden size={14} />}
      >
        Open printable report
      </ApiLink>
      {active && (
        <ButtonWithReason
          ref={pause}
          icon={batch.pausedAt === null ? <Pause aria-hidden size={14} /> : <Play aria-hidden size={14} />}
          disabledReason={refusal}
          busy={busy('pause') || busy('resume')}
          onClick={() => act(batch.pausedAt === null ? 'pause' : 'resume')}
        >
          {batch.pausedAt === null ? 'Pause' : 'Resume'}
        </ButtonWithReason>
      )}
      {active && (
        <ButtonWithReason
          icon={<Ban aria-hidden size={14} />}
          disabledReason={refusal}
          busy={busy('cancel')}
          onClick={() => setCancelling(true)}
        >
          Cancel all
        </ButtonWithReason>
      )}
      <LazyAlertDialog
        open={isCancelling}
        onOpenChange={setCancelling}
        title="Cancel this batch?"
        description={`${unfinishedText(batch)} Files that have ended keep their results. A cancelled batch cannot be resumed; its files can be uploaded again.`}
        confirmLabel="Cancel all"
        cancelLabel="Keep running"
        danger
        onConfirm={() => act('cancel')}
      />
      {batch.retriable > 0 && (
        <ButtonWithReason
          variant="primary"
          icon={<RotateCw aria-hidden size={14} />}
          disabledReason={refusal}
          busy={busy('retry')}
          onClick={() => act('retry')}
        >
          Retry {formatCount(batch.retriable)} failed
        </ButtonWithReason>
      )}
    </>
  );
}
