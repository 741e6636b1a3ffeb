import { entities, type Entity } from '@riskboard/contract';
import { type RawBuilder, sql } from 'kysely';
import { columnTypes } from '../lists/entity-source.ts';
import type { OrganizationTransaction } from '../with-organization.ts';
import { formerShown } from './bulk-changes.ts';

/** A table whose rows can be edited in bulk. */
export type UpdatedTable = 'vulnerability' | 'threat' | 'asset';

/** Column values of a bulk edit, by column. */
export type ColumnValues = Readonly<Record<string, string | number | boolean | null>>;

/** A column to set. */
export interface Wanted {
  name: string;
  field: string;
  value: unknown;
  requested: RawBuilder<unknown>;
  differs: RawBuilder<boolean>;
}

const entityOf = (table: UpdatedTable): Entity =>
  Object.values<Entity>(entities).find((entity) => entity.table === table) as Entity;

/** @throws when a column is not that of a field with `bulk`: the names become SQL */
export const wantedOf = (table: UpdatedTable, columns: ColumnValues): Wanted[] =>
  Object.entries(columns).map(([name, value]) => {
    const known = Object.entries(entityOf(table).fields).find(
      ([, field]) => field.bulk === true && field.column === name,
    );
    if (known === undefined || known[1].type === 'relations')
      throw new Error(`${name} cannot be set in bulk`);
    const requested = sql`${value}::${sql.raw(columnTypes[known[1].type])}`;
    const differs = sql<boolean>`${sql.ref(`r.${name}`)} is distinct from ${requested}`;
    return { name, field: known[0], value, requested, differs };
  });

/** Different values of fields, by field. */
export type FormerValues = ReadonlyMap<string, Set<unknown>>;

interface Rows {
  table: UpdatedTable;
  ids: readonly string[];
  wanted: readonly Wanted[];
}

/** Collects the former values of the fields that are about to change. */
export async function recordFormer(
  trx: OrganizationTransaction,
  { table, ids, wanted }: Rows,
  former: FormerValues,
): Promise<void> {
  for (const { name, field, differs } of wanted) {
    const values = former.get(field) ?? new Set();
    if (values.size > formerShown) continue;
    const { rows } = await sql<{ value: unknown }>`
      select distinct ${sql.ref(`r.${name}`)} as value from ${sql.table(table)} r
      where r.organization_id = current_organization() and r.id = any (${ids}::uuid[]) and ${differs}
      order by value limit ${formerShown + 1}`.execute(trx);
    for (const { value } of rows) values.add(value);
  }
}

/**
 * All columns in one statement: one change, one version.
 * @param edit assignments that every change of a row makes beside them
 * @returns ids of the rows that changed
 */
export async function setColumns(
  trx: OrganizationTransaction,
  { table, ids, wanted }: Rows,
  edit: RawBuilder<unknown>,
): Promise<string[]> {
  if (wanted.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    update ${sql.table(table)} r set
      ${sql.join(wanted.map(({ name, requested }) => sql`${sql.ref(name)} = ${requested}`))}, ${edit}
    where r.organization_id = current_organization() and r.id = any (${ids}::uuid[])
      and (${sql.join(
        wanted.map(({ differs }) => differs),
        sql` or `,
      )})
    returning r.id`.execute(trx);
  return rows.map((row) => row.id);
}

/** The new version of row `r`. */
export const newVersion = (by: string | null): RawBuilder<unknown> =>
  sql`version = r.version + 1, updated_at = now(), updated_by = ${by}::uuid`;

/** The new version of row `r` when a related asset is restored: no user changed it, its last change stays the same. */
export const restoredVersion: RawBuilder<unknown> = sql`version = r.version + 1`;
