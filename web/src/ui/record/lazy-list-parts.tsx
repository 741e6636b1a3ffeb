import type { ComponentType } from 'react';
import type { Entity } from '../../lib/entity/entity.ts';
import { useLast } from '../../lib/hooks/use-last.ts';
import { idlePart } from '../layout/idle-part.tsx';
import type { PaneProps } from '../list/list-page.tsx';
import type { Selected } from '../list/use-selection.ts';
import type { BulkActionsProps } from './bulk-actions.tsx';

// Parts of a list that open with a click on a row: they keep its page within the budget.

const { Part: BulkActions, useIdleLoad: useBulkActions } = idlePart<BulkActionsProps>(
  async () => (await import('./bulk-actions.tsx')).BulkActions,
  null,
);

/** The buttons of a list's selection bar; loaded by the panel of its rows. */
export const bulkActionsOf = (entity: Entity) => (selected: Selected) => (
  <BulkActions entity={entity} selected={selected} />
);

/** A `RecordPeek`; it and the buttons of selected rows load when the browser is idle. */
export function lazyPeek(load: () => Promise<ComponentType<PaneProps>>) {
  const { Part: Peek, useIdleLoad } = idlePart(load, null);
  return function LazyPeek(props: PaneProps) {
    useIdleLoad();
    useBulkActions();
    const wasOpened = useLast(props.id) !== undefined;
    return wasOpened && <Peek {...props} />;
  };
}
