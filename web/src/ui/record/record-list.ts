import type { ComponentType, ReactNode } from 'react';
import type { ListState } from '../../lib/list/list-state.ts';
import type { HowChanged } from '../list/list-control.ts';
import type { ListPageProps, PaneProps } from '../list/list-page.tsx';

/** URL state of a list of records. */
interface RecordListState extends ListState {
  /** Record whose pane is open beside the list. */
  readonly peek?: string | undefined;
}

/** Props of a page that lists records. */
export interface RecordListProps<State extends RecordListState> {
  search: State;
  onSearch: (search: State, how?: HowChanged) => void;
}

/** Props of a page that lists records which are extracted from reports. */
export interface ImportableListProps<State extends RecordListState> extends RecordListProps<State> {
  /** Name of the file `search.fileId`, once it is loaded. */
  fileName: string | undefined;
  /** Button of the empty list. */
  firstAction: ReactNode;
}

type AnyListProps = ListPageProps<{ readonly _id: string }, ListState, unknown>;

/**
 * Props of a `ListPage` whose rows open in `Peek` beside the list. Opening the pane adds an entry to the browser's
 * history; going to another row and closing the pane replace that entry.
 */
export function peekProps<State extends RecordListState>(
  Peek: ComponentType<PaneProps>,
  { search, onSearch }: RecordListProps<State>,
): Pick<AnyListProps, 'openId' | 'pane' | 'onOpen'> {
  const onId = (id: string | undefined) =>
    onSearch({ ...search, peek: id }, { replace: search.peek !== undefined });
  return { openId: search.peek, pane: { Content: Peek, onId }, onOpen: ({ _id }) => onId(_id) };
}
