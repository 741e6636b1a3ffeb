import { useEffect, useEffectEvent, useState } from 'react';
import { isOutdated } from '../../lib/api/chunk-failure.ts';
import { useLiveState } from '../../lib/live/live-state.ts';
import { ErrorState } from './error-state.tsx';

interface LoadFailureProps {
  title: string;
  error: unknown;
  /** Loads it again; called once when the connection returns, if there was none. */
  onRetry: () => void;
}

/** Replaces a page, or a part of one, that could not be loaded. After an update of Riskboard, only a reload helps. */
export function LoadFailure({ title, error, onRetry }: LoadFailureProps) {
  const state = useLiveState();
  const [stateThen] = useState(state);
  const retry = useEffectEvent(onRetry);
  const back = stateThen !== 'live' && state === 'live';
  useEffect(() => {
    if (back) retry();
  }, [back]);

  if (!isOutdated(error)) return <ErrorState title={title} error={error} onRetry={onRetry} />;
  return (
    <ErrorState
      title={title}
      text="Riskboard may have been updated. Copy unsaved input, then reload the page."
      error={undefined}
      onRetry={() => location.reload()}
      retryLabel="Reload"
    />
  );
}
