import type { Job, ReportFile } from '@riskboard/contract';
import { fileLook, withParseEnd } from '../../lib/jobs/file-states.ts';
import { percentOf, stageOf } from '../../lib/jobs/job-labels.ts';
import { Badge, NotedBadge } from '../../ui/badge/badge.tsx';
import { ProgressBar } from '../../ui/feedback/progress-bar.tsx';
import { Tooltip } from '../../ui/popup/tooltip.tsx';
import { useLiveJob, useParseJob } from './use-file-job.ts';

/** State of a report: the progress of its current job, else its parse and extraction state with the number of issues. */
export function FileState({ file: listed }: { file: ReportFile }) {
  const job = useLiveJob(listed._id);
  const file = withParseEnd(listed, useParseJob(listed._id));
  if (job !== undefined) return <JobLine job={job} />;
  const { word, tone, note } = fileLook(file);
  return (
    <span className="inline-flex flex-wrap items-center gap-1.5">
      <NotedBadge tone={tone} note={note}>
        {word}
      </NotedBadge>
      {file.incomplete && (
        <Tooltip content="This file is one page of a TAXII collection. More pages follow.">
          <button type="button" className="cursor-default">
            <Badge tone="warning">Incomplete</Badge>
          </button>
        </Tooltip>
      )}
    </span>
  );
}

/** Phase and progress bar of a job on a file. */
export function JobLine({ job }: { job: Job }) {
  const percent = percentOf(job);
  return (
    <div className="flex w-36 max-w-full flex-col gap-1">
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
