import type { ActivityDetail } from '@riskboard/contract';
import { ChangeCount } from '@riskboard/db';
import { type ActivityEntry, countEntry } from '../run/activity-entries.ts';

interface NamedRow {
  id: string;
  name: string;
}

/** Counts rows as they are deleted or restored, and keeps the name of one. */
export class MovedRows extends ChangeCount {
  #first: NamedRow | undefined;

  addRows(rows: readonly NamedRow[]): void {
    this.#first ??= rows[0];
    this.add(rows.map(({ id }) => id));
  }

  /** The entry of all rows in the activity log: a single row by its name, several by their number. */
  entry(labels: readonly [string, string], detail: ActivityDetail = {}): ActivityEntry[] {
    if (this.count !== 1 || this.#first === undefined) return countEntry(this.count, labels, detail);
    const { id, name } = this.#first;
    return [{ nounId: id, name, detail: { ...detail, count: 1 } }];
  }
}
