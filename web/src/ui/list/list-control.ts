import type { AnyListState } from '../../lib/list/list-state.ts';
import type { PathParams } from './define-list-source.ts';
import type { ListView } from './define-list-view.ts';

/** Whether a change replaces the current entry of the browser's history. */
export interface HowChanged {
  replace?: boolean;
}

/** A list and its state, for the list's controls. */
export interface ListControl<Row extends object = object, R = unknown> {
  readonly view: ListView<Row, AnyListState, R>;
  readonly state: AnyListState;
  readonly onState: (state: AnyListState, how?: HowChanged) => void;
  /** Path parameters of lists below a record. */
  readonly params?: PathParams | undefined;
}
