import { outcomeOf } from '../../lib/jobs/job-outcome.ts';
import { percentOf, stageOf } from '../../lib/jobs/job-labels.ts';
import { ProgressBar } from '../../ui/feedback/progress-bar.tsx';
import { useEndedJob, useLiveJob } from './file-job.ts';
import type { UploadReply } from './upload.ts';

/** What becomes of an uploaded report: its reading and extraction, live. */
export function UploadedState({ reply, name }: { reply: UploadReply; name: string }) {
  const live = useLiveJob(reply._id);
  const ended = useEndedJob(reply._id);
  const action = reply.action === 'created' ? 'Uploaded' : 'Replaced the existing file';
  if (live !== undefined) {
    const percent = percentOf(live);
    return (
      <>
        <p className="truncate text-xs text-muted tabular-nums">
          {stageOf(live)}
          {percent === null ? '' : ` ${percent}%`}
        </p>
        {live.state === 'running' && (
          <div className="mt-1">
            <ProgressBar
              label={`${stageOf(live)}: ${name}`}
              value={percent === null ? null : percent / 100}
            />
          </div>
        )}
      </>
    );
  }
  const failed = ended?.state === 'failed';
  return (
    <p
      className={`text-xs tabular-nums ${failed ? 'line-clamp-3 wrap-anywhere text-danger' : 'truncate text-success'}`}
    >
      {(ended && outcomeOf(ended)) ?? action}
    </p>
  );
}
