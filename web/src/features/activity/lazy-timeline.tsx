import { lazy, Suspense } from 'react';
import type { TimelineProps } from './timeline.tsx';

const Timeline = lazy(async () => ({ default: (await import('./timeline.tsx')).Timeline }));

/** Activity of one object. It loads after the page, because it starts below the visible part. */
export function LazyTimeline(props: TimelineProps) {
  return (
    <Suspense>
      <Timeline {...props} />
    </Suspense>
  );
}
