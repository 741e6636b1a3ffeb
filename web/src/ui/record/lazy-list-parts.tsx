import { lazy, Suspense, type ComponentType } from 'react';
import type { Entity } from '../../lib/entity/entity.ts';
import { useLast } from '../../lib/hooks/use-last.ts';
import type { PaneProps } from '../list/list-page.tsx';
import type { Selected } from '../list/use-selection.ts';

// Parts of a list that most visits do not need: they keep its page within the budget.

const BulkActions = lazy(async () => ({ default: (await import('./bulk-actions.tsx')).BulkActions }));

/** The buttons of a list's selection bar; loaded when the first row is selected. */
export const bulkActionsOf = (entity: Entity) => (selected: Selected) => (
  <Suspense>
    <BulkActions entity={entity} selected={selected} />
  </Suspense>
);

/** A `RecordPeek` that is loaded when the first row is opened. */
export function lazyPeek(load: () => Promise<ComponentType<PaneProps>>) {
  const Peek = lazy(async () => ({ default: await load() }));
  return function LazyPeek(props: PaneProps) {
    const wasOpened = useLast(props.id) !== undefined;
    if (!wasOpened) return null;
    return (
      <Suspense>
        <Peek {...props} />
      </Suspense>
    );
  };
}
