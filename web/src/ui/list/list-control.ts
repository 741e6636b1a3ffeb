import type { AnyListState } from '../../lib/list/list-state.ts';
import type { PathParams } from './define-list-source.ts';
import type { ListView } from './define-list-view.ts';

/** Whether a change takes the place of the last one in the browser's history. */
export interface HowChanged {
  replace?: boolean;
}

/** A list and where it stands, as its controls need it; what the fields are is the view's to know. */
export interface ListControl<Row extends object = object, R = unknown> {
  readonly view: ListView<Row, AnyListState, R>;
  readonly state: AnyListState;
  readonly onState: (state: AnyListState, how?: HowChanged) => void;
  /** Path parameters, of lists below a record. */
  readonly params?: PathParams | undefined;
}
