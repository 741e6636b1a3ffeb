import { reports } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { RotateCw, X } from 'lucide-react';
import { useRef } from 'react';
import { formatSize } from '../../../lib/format/format.ts';
import { percentOf, stageOf, outcomeOf } from '../../../lib/jobs/job-labels.ts';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { IconButton } from '../../../ui/button/icon-button.tsx';
import { ProgressBar } from '../../../ui/feedback/progress-bar.tsx';
import { uploads } from './upload-store.ts';
import { isOpen, isRetryable, type Upload, type UploadReply, type UploadState } from './upload.ts';
import { forgottenJobsQuery } from '../queries.ts';
import { lastEndedOf, useEndedJob, useIsForgotten, useLiveJob } from '../use-file-job.ts';

/** Minimum height of a row in pixels; a long reason makes it higher. */
const rowHeight = 56;

/** The chosen files. Only visible rows are rendered, because a list may have thousands. */
export function UploadList({ uploads }: { uploads: readonly Upload[] }) {
  const frame = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised by a compiler
  const list = useVirtualizer({
    count: uploads.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => uploads[index]?.id ?? index,
    measureElement: (row) => Math.max(rowHeight, row.getBoundingClientRect().height),
    overscan: 6,
  });
  return (
    <section
      ref={frame}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scroll region must take the focus (WCAG 2.1.1)
      tabIndex={0}
      aria-label="Chosen files"
      className="max-h-70 overflow-y-auto rounded border"
    >
      <ul aria-label="Chosen files" className="relative" style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map(({ index, key, start }) => {
          const upload = uploads[index];
          if (upload === undefined) return null;
          return (
            <li
              key={key}
              ref={list.measureElement}
              data-index={index}
              aria-setsize={uploads.length}
              aria-posinset={index + 1}
              className="absolute inset-x-0 border-b last:border-b-0"
              style={{ transform: `translateY(${start}px)` }}
            >
              <UploadRow upload={upload} />
            </li>
          );
        })}
      </ul>
    </section>
  );
}

const stateLabels = {
  chosen: 'Ready to upload',
  refused: 'Not accepted',
  clash: 'A file with this name exists',
  waiting: 'Waiting',
  sending: 'Uploading',
  stored: 'Uploaded',
  failed: 'Failed to upload report',
  cancelled: 'Cancelled',
  kept: 'Kept the existing file',
} as const satisfies Record<UploadState, string>;

function textOf({ state, reason, file, sent }: Upload): string {
  if (state === 'sending' && sent >= file.size) return 'Storing';
  if (state === 'sending') return `${Math.floor((sent / file.size) * 100)}%`;
  return reason === null ? stateLabels[state] : `${stateLabels[state]}: ${reason}`;
}

/** One file of the upload list, with its progress or error and its actions. */
function UploadRow({ upload }: { upload: Upload }) {
  const { id, file, state, sent, reply } = upload;
  const refusal = useRefusal(reports.upload.access);
  const bad = state === 'failed' || state === 'refused';
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
            title={textOf(upload)}
          >
            {textOf(upload)}
          </p>
        )}
        {state === 'sending' && (
          <div className="mt-1">
            <ProgressBar label={`Upload of ${file.name}`} value={sent / file.size} />
          </div>
        )}
      </div>
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
  const { data: forgotten } = useQuery({
    ...forgottenJobsQuery(reply._id),
    select: lastEndedOf,
    enabled: live === undefined && known === undefined && isForgotten,
  });
  const ended = known ?? forgotten;
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
