import { useStore } from '../../../lib/browser/store.ts';
import { lazyPart } from '../../layout/lazy-part.tsx';
import { refusedChange } from './refused-change.ts';

const InlineConflict = lazyPart(async () => (await import('./inline-conflict.tsx')).InlineConflict);

/** Where a list or a page of a record asks about refused changes of its fields. */
export function InlineConflictHost() {
  const refused = useStore(refusedChange);
  if (refused === undefined) return null;
  return <InlineConflict refused={refused} />;
}
