import { jobs, type CsvImport } from '@riskboard/contract';
import { formatCount } from '@riskboard/domain';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '../../../lib/api/call.ts';
import { messageOf } from '../../../lib/api/errors.ts';
import { formatSize } from '../../../lib/format/format.ts';
import { percentOf, stageOf, unitOf } from '../../../lib/jobs/job-labels.ts';
import { jobStore, useJob } from '../../../lib/jobs/job-store.ts';
import { endOfJob } from '../../../lib/jobs/wait-for-job.ts';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { ButtonWithReason } from '../../../ui/button/button-with-reason.tsx';
import { ProgressBar } from '../../../ui/feedback/progress-bar.tsx';
import { toast } from '../../../ui/feedback/toast.ts';
import { Card } from '../../../ui/layout/card.tsx';
import { refreshImports } from '../queries.ts';

const looks = {
  checking: {
    title: 'Dry run',
    about: 'All rows are checked; nothing is written.',
    cancel: 'Cancel dry run',
  },
  importing: {
    title: 'Import',
    about: 'All rows are written together: if the import is cancelled, nothing is written.',
    cancel: 'Cancel import',
  },
  undoing: {
    title: 'Undo',
    about: 'Created records are deleted, and updated records get their former values.',
    cancel: 'Cancel undo',
  },
} as const;

interface RunProgressProps {
  csv: CsvImport & { state: keyof typeof looks };
}

/** Live progress of the job that works on an import. */
export function RunProgress({ csv: { state, jobId, fileName } }: RunProgressProps) {
  const { title, about, cancel } = looks[state];
  const job = useJob(jobId);
  const refusal = useRefusal(jobs.cancel.access);
  const [busy, setBusy] = useState(false);
  useEndOf(jobId);

  async function onCancel(): Promise<void> {
    setBusy(true);
    try {
      jobStore.apply(await call(jobs.cancel, { params: { id: jobId ?? '' } }));
    } catch (error) {
      toast.error('Cancel failed', messageOf(error, 'Please try again.'));
    }
    setBusy(false);
  }

  const percent = job === undefined ? null : percentOf(job);
  return (
    <Card
      title={title}
      actions={
        <ButtonWithReason
          size="sm"
          busy={busy}
          disabled={jobId === null}
          disabledReason={refusal}
          onClick={() => void onCancel()}
        >
          {cancel}
        </ButtonWithReason>
      }
    >
      <div className="flex flex-col gap-3 px-4 py-6">
        <div className="flex items-baseline justify-between gap-3">
          <p className="text-base font-medium">{job === undefined ? 'Starting' : stageOf(job)}</p>
          {percent !== null && <p className="text-lg font-semibold tabular-nums">{percent}%</p>}
        </div>
        <ProgressBar label={`${title} of ${fileName}`} value={percent === null ? null : percent / 100} />
        <p className="flex flex-wrap justify-between gap-x-4 gap-y-1 text-sm text-muted tabular-nums">
          <span>{about} You can leave this page.</span>
          {job !== undefined && job.progress.total > 0 && <span>{amountOf(job)}</span>}
        </p>
      </div>
    </Card>
  );
}

/** '1,200 of 100,000 rows': `done` and `total` of the phase. */
function amountOf(job: NonNullable<ReturnType<typeof useJob>>): string {
  const { done, total } = job.progress;
  if (unitOf(job) === 'bytes') return `${formatSize(done)} of ${formatSize(total)}`;
  return `${formatCount(done)} of ${formatCount(total)} rows`;
}

/** Fetches the import again when its job has ended, also when the socket delivers nothing. */
function useEndOf(jobId: string | null): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (jobId === null) return undefined;
    let isLeft = false;
    const refresh = () => {
      if (!isLeft) void refreshImports(queryClient);
    };
    // A deleted job has no end, but the import shows its state.
    endOfJob(jobId, { mayHaveEnded: true }).then(refresh, refresh);
    return () => {
      isLeft = true;
    };
  }, [jobId, queryClient]);
}
