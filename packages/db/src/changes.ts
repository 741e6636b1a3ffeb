import { idsShown } from '@riskboard/contract';

/** Rows that changed: their ids, or only their number when there are more than an event carries. */
export type ChangedRows = readonly string[] | number;

/** Counts rows as they change, and keeps as many ids as an event carries. */
export class ChangeCount {
  count = 0;
  readonly #ids: string[] = [];

  /** @param count of all rows, when `ids` are only the first of them */
  add(ids: readonly string[], count = ids.length): void {
    this.count += count;
    this.#ids.push(...ids.slice(0, idsShown - this.#ids.length));
  }

  get rows(): ChangedRows {
    return this.count > this.#ids.length ? this.count : this.#ids;
  }
}
