import type { Entity, Related } from '@riskboard/contract';
import type { ListSource, OrganizationTransaction, RecordTableName } from '@riskboard/db';
import type { Values } from '../lib/columns.ts';

/** The row of an entity, every column by its name. */
export interface EntityRow extends Values {
  id: string;
  name: string;
  version: number;
}

/** A record with what its detail needs beyond its own columns. */
export interface FullEntity {
  row: EntityRow;
  /** Current name of the user who changed it last; empty for reports. */
  updatedBy: string;
  /** The first by name, and the number of all. */
  relatedAssets?: Related[];
  relatedAssetTotal?: number;
}

/** A change that a request asks for. `id` and `before` are undefined for a new record. */
export interface Change<Full> {
  id: string | undefined;
  before: Full | undefined;
  body: Values;
}

/** What an update changes. */
export interface Changed {
  /** The columns that differ, with their new values. */
  columns: Values;
  /** The related assets when they differ. */
  related: readonly string[] | undefined;
}

/** What an entity does beyond its table of fields. Every function runs in the transaction of the request. */
export interface EntityRules<Full extends FullEntity> {
  entity: Entity;
  source: ListSource;
  /** Fields without a column, from a row of the list's source. */
  derivedFields?(row: Values): Values;
  /** What the columns of an export hold beyond the fields of a row that the list shows. */
  exportedValues?(row: Values, format: 'csv' | 'json'): Values;
  /** Parts of the detail beyond the fields. */
  detailParts?(full: Full): Values;
  /** Column values derived from others. `now` is undefined for a new row. @throws Failure 422 */
  derivedColumns?(input: Values, now: Values | undefined): Values;
  /** Locks that come before every row. The values of an update are not validated yet. */
  lock(trx: OrganizationTransaction, change: { id: string | undefined; body: Values }): Promise<void>;
  /** @throws Failure 404 */
  find(trx: OrganizationTransaction, id: string): Promise<Full>;
  /** @throws Failure 422 */
  check?(trx: OrganizationTransaction, change: Change<Full>): Promise<void>;
  /** @returns whether the relations differ from what they were */
  relate?(trx: OrganizationTransaction, id: string, assets: string[]): Promise<boolean>;
  /** Further columns of an update. */
  updateColumns?(trx: OrganizationTransaction, before: Full, changed: Changed): Promise<Values>;
  /** Values that the activity log compares beyond the fields, and what it says of a new record. */
  loggedValues?(full: Full): Values;
  creationDetail?(full: Full): Values;
}

/** Rules of records that reports can bring: vulnerabilities and threats. */
export interface RecordRules extends EntityRules<FullRecord> {
  table: RecordTableName;
  /** Columns that belong together: a user who changes one owns all, and they are reverted together. */
  together: readonly (readonly string[])[];
  /** Columns that follow other columns of the row `now` while no person enters them, with their values; `reported`: what reports say. */
  followingColumns?(now: Values, reported: Values): Values;
}

export interface RecordRow extends EntityRow {
  key: string | null;
  edited_fields: string[];
}

/** A vulnerability or threat with what its detail needs. */
export interface FullRecord extends FullEntity {
  row: RecordRow;
  relatedAssets: Related[];
  relatedAssetTotal: number;
  /** Whether a report asserts it. */
  imported: boolean;
}

export interface RecordContext {
  trx: OrganizationTransaction;
  rules: RecordRules;
}

/** These columns, and those that belong together with them. */
export const withCompanions = ({ together }: RecordRules, columns: readonly string[]): string[] => {
  const companions = together.filter((group) => group.some((column) => columns.includes(column)));
  return [...new Set([...columns, ...companions.flat()])];
};
