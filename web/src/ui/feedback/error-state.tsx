import { CircleAlert, RotateCw } from 'lucide-react';
import { Button } from '../button/button.tsx';

export interface ErrorStateProps {
  /** Title in the wording of the spec, such as 'Failed to load files.' */
  title: string;
  /** Text of the spec below the title. */
  text?: string | undefined;
  /** The thrown error; message and request id are shown. */
  error: unknown;
  onRetry?: () => void;
  retryLabel?: string;
  busy?: boolean;
}

/** Request id of a failed call, for any error class. */
function requestIdOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('requestId' in error)) return undefined;
  return typeof error.requestId === 'string' && error.requestId !== '' ? error.requestId : undefined;
}

/** Error state of a failed load: title, reason, request id and Retry. */
export function ErrorState({
  title,
  text,
  error,
  onRetry,
  retryLabel = 'Retry',
  busy = false,
}: ErrorStateProps) {
  const requestId = requestIdOf(error);
  const reason = error instanceof Error ? error.message : '';
  return (
    <div role="alert" className="flex flex-col items-center gap-1 px-6 py-12 text-center">
      <div className="mb-3 flex size-10 items-center justify-center rounded-full bg-danger-soft text-danger">
        <CircleAlert aria-hidden size={20} />
      </div>
      <p className="text-base font-medium">{title}</p>
      {text !== undefined && <p className="max-w-110 text-sm">{text}</p>}
      {reason !== '' && reason !== title && <p className="max-w-110 text-sm text-muted">{reason}</p>}
      {requestId !== undefined && (
        <p className="text-xs text-muted">
          Request <code className="font-mono select-all">{requestId}</code>
        </p>
      )}
      {onRetry !== undefined && (
        <Button className="mt-4" busy={busy} icon={<RotateCw aria-hidden size={14} />} onClick={onRetry}>
          {retryLabel}
        </Button>
      )}
    </div>
  );
}
