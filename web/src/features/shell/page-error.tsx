import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState } from 'react';
import { useLiveState } from '../../lib/live/live-state.ts';
import { Card } from '../../ui/layout/card.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';

/**
 * Stands in the place of a page or section that failed; the frame around it stays. What failed without a connection is
 * tried again, once, when the connection is back.
 */
export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const state = useLiveState();
  const [stateThen] = useState(state);

  function again(): void {
    reset();
    void router.invalidate();
  }

  const retry = useEffectEvent(again);
  const back = stateThen !== 'live' && state === 'live';
  useEffect(() => {
    if (back) retry();
  }, [back]);

  return (
    <div className="p-4">
      <Card>
        <ErrorState title="This page could not be shown." error={error} onRetry={again} />
      </Card>
    </div>
  );
}
