import type { OrganizationEvent } from '@riskboard/contract';
import type { ListSource, OrganizationTransaction, RecordTableName } from '@riskboard/db';

export type Values = Record<string, unknown>;

/** What vulnerabilities and threats have in common, and what of it is whose. */
export interface RecordKind {
  noun: 'vulnerabilities' | 'threats';
  table: RecordTableName;
  /** One and many, as people say it. */
  words: { one: string; many: string };
  event: Extract<OrganizationEvent['type'], 'vulnerability.changed' | 'threat.changed'>;
  source: ListSource;
  /** Column of each field that a person may set. */
  columns: Readonly<Record<string, string>>;
  /** Columns that are one thing: whoever changes one of them answers for all, and they are taken back together. */
  together: readonly (readonly string[])[];
  /**
   * Columns that follow from others: a score from its vector, a risk level from likelihood and impact.
   * @param now the row as it is; undefined for a new one
   * @throws Failure 422 naming the field
   */
  derive(asked: Values, now: Values | undefined): Values;
}

/** The row of a record, every column by its name. */
export interface RecordRow extends Values {
  id: string;
  name: string;
  key: string | null;
  edited_fields: string[];
  version: number;
}

/** These columns, and those that go with them. */
export const withCompanions = ({ together }: RecordKind, columns: readonly string[]): string[] => {
  const companions = together.filter((group) => group.some((column) => columns.includes(column)));
  return [...new Set([...columns, ...companions.flat()])];
};

export interface RecordContext {
  trx: OrganizationTransaction;
  kind: RecordKind;
}
