import { reports } from '@riskboard/contract';
import { RotateCw, X } from 'lucide-react';
import { formatSize } from '../../lib/format/format.ts';
import { useRefusal } from '../../lib/session/use-refusal.ts';
import { IconButton } from '../../ui/button/icon-button.tsx';
import { ProgressBar } from '../../ui/feedback/progress-bar.tsx';
import { isOpen, isRetryable, type Upload, type UploadState } from './upload.ts';
import { uploads } from './upload-store.ts';
import { UploadedState } from './uploaded-state.tsx';

const words = {
  chosen: 'Ready to upload',
  refused: 'Not accepted',
  clash: 'A file of this name exists',
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
  return reason === null ? words[state] : `${words[state]}: ${reason}`;
}

/** One file of the upload list: how far it is, what went wrong, and what can be done about it. */
export function UploadRow({ upload }: { upload: Upload }) {
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
