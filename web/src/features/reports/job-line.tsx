import type { Job } from '@riskboard/contract';
import { percentOf, stageOf } from '../../lib/jobs/job-labels.ts';
import { ProgressBar } from '../../ui/feedback/progress-bar.tsx';

/** Stage and a slim bar of the job at work on a file. */
export function JobLine({ job }: { job: Job }) {
  const percent = percentOf(job);
  return (
    <div className="flex w-30 max-w-full flex-col gap-1 sm:w-40">
      <span className="flex justify-between gap-2 text-xs text-muted tabular-nums">
        <span className="truncate">{stageOf(job)}</span>
        {job.state === 'running' && percent !== null && <span>{percent}%</span>}
      </span>
      <ProgressBar
        label={`${stageOf(job)}: ${job.fileName ?? 'report'}`}
        value={job.state === 'queued' ? 0 : percent === null ? null : percent / 100}
      />
    </div>
  );
}
