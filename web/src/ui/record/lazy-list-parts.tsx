import { lazy, Suspense, type ComponentType } from 'react';
import type { Entity } from '../../lib/entity/entity.ts';
import { useLast } from '../../lib/hooks/use-last.ts';
import type { Selected } from '../list/use-selection.ts';

// Parts of a list that most visits do not need: they keep its page within the budget.

const BulkActions = lazy(async () => ({ default: (await import('./bulk-actions.tsx')).BulkActions }));

/** The buttons of a list's selection bar; loaded when the first row is selected. */
export const bulkActionsOf = (entity: Entity) => (selected: Selected) => (
  <Suspense>
    <BulkActions entity={entity} selected={selected} />
  </Suspense>
);

export interface PeekProps {
  /** Record whose panel is open; undefined: the panel is closed. */
  id: string | undefined;
  /** Records of the list's page, in order: the panel goes from one to the next. */
  rows: readonly { readonly _id: string; readonly name: string }[];
  onId: (id: string | undefined) => void;
}

/** A `RecordPeek` that is loaded when the first row is opened. */
export function lazyPeek(load: () => Promise<ComponentType<PeekProps>>) {
  const Peek = lazy(async () => ({ default: await load() }));
  return function LazyPeek(props: PeekProps) {
    const wasOpened = useLast(props.id) !== undefined;
    if (!wasOpened) return null;
    return (
      <Suspense>
        <Peek {...props} />
      </Suspense>
    );
  };
}
