import { useStore } from '../../../lib/browser/store.ts';
import { refusedChange } from './refused-change.ts';
import { latePart } from '../../layout/late-part.tsx';

const InlineConflict = latePart(async () => (await import('./inline-conflict.tsx')).InlineConflict);

/** Where a list or a page of a record asks about refused changes of its fields. */
export function InlineConflictHost() {
  const refused = useStore(refusedChange);
  if (refused === undefined) return null;
  return <InlineConflict refused={refused} />;
}
