import { type ComponentProps, lazy, Suspense } from 'react';

// What stands below the essentials of a record comes after them.
const Graph = lazy(async () => ({ default: (await import('./record-graph.tsx')).RecordGraph }));
const Sources = lazy(async () => ({ default: (await import('./sources-card.tsx')).SourcesCard }));
const Explained = lazy(async () => ({ default: (await import('../cvss/cvss-explained.tsx')).CvssExplained }));

/** The record's graph; its place is kept while it is on its way. */
export const RecordGraph = (props: ComponentProps<typeof Graph>) => (
  <Suspense fallback={<div aria-hidden className="h-162 rounded border bg-surface" />}>
    <Graph {...props} />
  </Suspense>
);

/** What the reports say; marks of edited fields lead here, before it has come too. */
export const SourcesCard = (props: ComponentProps<typeof Sources>) => (
  <div id="sources" className="scroll-mt-18">
    <Suspense>
      <Sources {...props} />
    </Suspense>
  </div>
);

export const CvssExplained = (props: ComponentProps<typeof Explained>) => (
  <Suspense>
    <Explained {...props} />
  </Suspense>
);
