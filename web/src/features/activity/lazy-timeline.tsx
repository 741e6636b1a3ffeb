import { latePart } from '../../ui/layout/late-part.tsx';

/** Activity of one object. It loads after the page, because it starts below the visible part. */
export const LazyTimeline = latePart(async () => (await import('./timeline.tsx')).Timeline);
