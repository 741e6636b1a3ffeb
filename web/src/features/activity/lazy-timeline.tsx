import { lazyPart } from '../../ui/layout/lazy-part.tsx';

/** Activity of one object. It loads after the page, because it starts below the visible part. */
export const LazyTimeline = lazyPart(async () => (await import('./timeline.tsx')).Timeline);
