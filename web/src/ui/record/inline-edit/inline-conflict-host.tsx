import { lazy, Suspense } from 'react';
import { useStore } from '../../../lib/browser/store.ts';
import { refusedChange } from './refused-change.ts';

const InlineConflict = lazy(async () => ({
  default: (await import('./inline-conflict.tsx')).InlineConflict,
}));

/** Where a list or a page of a record asks about refused changes of its fields. */
export function InlineConflictHost() {
  const refused = useStore(refusedChange);
  if (refused === undefined) return null;
  return (
    <Suspense>
      <InlineConflict refused={refused} />
    </Suspense>
  );
}
