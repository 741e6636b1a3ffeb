import { editableFields, type Entity } from '@riskboard/contract';
import { joinNames } from '@riskboard/domain';
import { longTexts, relatedNamesBytes } from '@riskboard/db';
import { sql } from 'kysely';
import type { Values } from '../lib/columns.ts';
import type { ExportDetails } from '../lib/list-export.ts';

/** Related assets by name: of an asset, those that it depends on; none of a project. */
function relatedNames(table: Entity['table']) {
  if (table === 'project') return sql`'{}'::text[]`;
  if (table === 'asset')
    return sql`array(
      select a.name from asset_relation l join asset a on a.organization_id = l.organization_id and a.id = l.related_id
      where l.organization_id = r.organization_id and l.asset_id = r.id order by a.name)`;
  return sql`array(
    select a.name from ${sql.table(`${table}_asset`)} l join asset a on a.organization_id = l.organization_id and a.id = l.asset_id
    where l.organization_id = r.organization_id and ${sql.ref(`l.${table}_id`)} = r.id order by a.name)`;
}

/** What a form sets and a list does not show. An import reads it back. */
export function exportDetails({ table, fields }: Entity, listed: readonly string[]): ExportDetails {
  const missing = editableFields(fields).flatMap((name) => {
    const field = fields[name];
    return field === undefined || listed.includes(name) ? [] : [{ name, field }];
  });
  const stored = missing.flatMap(({ name, field: { type, column } }) =>
    column === null ? [] : [{ name, type, column }],
  );
  const sizes = [
    longTexts(
      stored.flatMap(({ type, column }) => (type === 'prose' ? column : [])),
      'stored',
    ),
    table === 'project' ? undefined : relatedNamesBytes(table, 'stored'),
  ].filter((size) => size !== undefined);
  return {
    bytes: sql`coalesce((
      select ${sql.join(sizes, sql` + `)} from ${sql.table(table)} stored
      where stored.organization_id = r.organization_id and stored.id = r.id), 0)`,
    columns: missing.map(({ name, field: { label, listLabel } }) => ({
      key: name,
      header: listLabel ?? label,
    })),
    async load(trx, ids) {
      const { rows } = await sql<Values & { id: string; names: string[] }>`
        select r.id, ${sql.join(stored.map(({ column }) => sql.ref(`r.${column}`)))}, ${relatedNames(table)} as names
        from ${sql.table(table)} r
        where r.organization_id = current_organization() and r.id = any (${ids}::uuid[])`.execute(trx);
      const valuesOf = ({ names, ...row }: (typeof rows)[number]): Values => ({
        ...Object.fromEntries(stored.map(({ name, column }) => [name, row[column]])),
        relatedAssets: joinNames(names),
      });
      return new Map(rows.map((row) => [row.id, valuesOf(row)]));
    },
  };
}
