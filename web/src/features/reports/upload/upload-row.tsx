import { reports } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { RotateCw, X } from 'lucide-react';
import { formatSize } from '../../../lib/format/format.ts';
import { percentOf, stageOf } from '../../../lib/jobs/job-labels.ts';
import { outcomeOf } from '../../../lib/jobs/job-outcome.ts';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { IconButton } from '../../../ui/button/icon-button.tsx';
import { loneLinkStyle } from '../../../ui/button/link-style.ts';
import { ProgressBar } from '../../../ui/feedback/progress-bar.tsx';
import { uploads, useUploads } from './transfer/upload-store.ts';
import {
  isOpen,
  isRetryable,
  reportIdOf,
  type Upload,
  type UploadReply,
  type UploadState,
} from './transfer/upload.ts';
import { connectionText } from './upload-progress.tsx';
import { uploadDialog } from './upload-dialog-state.ts';
import { forgottenJobsQuery } from '../file-queries.ts';
import { lastEndedOf, useEndedJob, useIsForgotten, useIsReplaced, useLiveJob } from '../use-file-job.ts';

const stateLabels = {
  chosen: 'Ready to upload',
  refused: 'Not accepted',
  clash: 'A file with this name exists',
  waiting: 'Waiting',
  sending: 'Uploading',
  stored: 'Uploaded',
  unreadable: 'Could not be read',
  failed: 'Failed to upload report',
  cancelled: 'Cancelled',
  kept: 'Kept the existing file',
  superseded: 'Replaced by another chosen file',
} as const satisfies Record<UploadState, string>;

function textOf({ state, reason, file, sent }: Upload, isConnectionLost: boolean): string {
  if (state === 'waiting' && isConnectionLost) return connectionText;
  if (state === 'sending' && sent >= file.size) return 'Storing';
  if (state === 'sending') return `${Math.floor((sent / file.size) * 100)}%`;
  return reason === null ? stateLabels[state] : `${stateLabels[state]}: ${reason}`;
}

/** One file of the upload list, with its progress or error and its actions. */
export function UploadRow({ upload }: { upload: Upload }) {
  const { id, file, state, sent, reply } = upload;
  const refusal = useRefusal(reports.upload.access);
  const text = textOf(upload, useUploads().isConnectionLost);
  const bad = state === 'failed' || state === 'refused' || state === 'unreadable';
  const reportId = reportIdOf(upload);
  return (
    <div className="flex min-h-14 items-center gap-3 py-2 pr-2 pl-3">
      <div className="min-w-0 grow">
        <div className="flex items-baseline gap-2">
          <span className="min-w-0 truncate text-sm font-medium" title={file.name}>
            {file.name}
          </span>
          <span className="shrink-0 text-xs text-muted tabular-nums">{formatSize(file.size)}</span>
        </div>
        {state === 'stored' && reply !== null ? (
          <UploadedState reply={reply} name={file.name} />
        ) : (
          <p
            className={`text-xs tabular-nums ${bad ? 'line-clamp-3 wrap-anywhere text-danger' : 'truncate text-muted'}`}
            title={text}
          >
            {text}
          </p>
        )}
        {state === 'sending' && (
          <div className="mt-1">
            <ProgressBar label={`Upload of ${file.name}`} value={sent / file.size} />
          </div>
        )}
      </div>
      {reportId !== null && (
        <Link
          to="/dashboard/reports/$fileId"
          params={{ fileId: reportId }}
          aria-label={`View report of ${file.name}`}
          className={`shrink-0 text-sm ${loneLinkStyle}`}
          onClick={() => uploadDialog.set(false)}
        >
          View report
        </Link>
      )}
      {isRetryable(upload) && (
        <IconButton
          size="sm"
          label={`Retry ${file.name}`}
          icon={<RotateCw aria-hidden size={14} />}
          disabledReason={refusal}
          onClick={() => uploads.retry(id)}
        />
      )}
      <IconButton
        size="sm"
        label={isOpen(upload) ? `Cancel ${file.name}` : `Remove ${file.name}`}
        icon={<X aria-hidden size={14} />}
        onClick={() => (isOpen(upload) ? uploads.cancel(id) : uploads.remove(id))}
      />
    </div>
  );
}

/** Live progress of the parse and extraction of an uploaded report. */
function UploadedState({ reply, name }: { reply: UploadReply; name: string }) {
  const live = useLiveJob(reply._id);
  const known = useEndedJob(reply._id);
  const isForgotten = useIsForgotten(reply.jobId);
  const isReplaced = useIsReplaced(reply._id, reply.jobId);
  const { data: forgotten } = useQuery({
    ...forgottenJobsQuery(reply._id),
    select: lastEndedOf,
    enabled: live === undefined && known === undefined && isForgotten,
  });
  const ended = known ?? forgotten;
  const action = reply.action === 'created' ? 'Uploaded' : 'Replaced the existing file';
  if (isReplaced)
    return <p className="text-xs text-warning">Replaced by a later upload before it was read</p>;
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
