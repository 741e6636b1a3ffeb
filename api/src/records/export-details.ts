import { type Entity, importableFields, importNouns } from '@riskboard/contract';
import { joinNames } from '@riskboard/domain';
import { longTexts, relatedNamesBytes } from '@riskboard/db';
import { sql } from 'kysely';
import type { Values } from '../lib/columns.ts';
import type { ExportDetails } from '../lib/list-export.ts';

/** Related assets by name: of an asset, those that it depends on. */
const relatedNames = (table: Entity['table']) =>
  table === 'asset'
    ? sql`array(
        select a.name from asset_relation l join asset a on a.organization_id = l.organization_id and a.id = l.related_id
        where l.organization_id = r.organization_id and l.asset_id = r.id order by a.name)`
    : sql`array(
        select a.name from vulnerability_asset l join asset a on a.organization_id = l.organization_id and a.id = l.asset_id
        where l.organization_id = r.organization_id and l.vulnerability_id = r.id order by a.name)`;

/** What an import reads and a list does not show. @returns undefined for records that no import brings */
export function exportDetails(
  { noun, table, fields }: Entity,
  listed: readonly string[],
): ExportDetails | undefined {
  const known = importNouns.find((one) => one === noun);
  if (!known) return undefined;
  const missing = importableFields(known).filter(({ field }) => !listed.includes(field));
  const stored = missing.flatMap(({ field }) => {
    const column = fields[field]?.column ?? null;
    return column === null ? [] : [{ field, column }];
  });
  const longest = longTexts(
    stored.flatMap(({ field, column }) => (fields[field]?.type === 'prose' ? column : [])),
    'stored',
  );
  return {
    bytes: sql`coalesce((
      select ${longest ?? sql`0`} + ${relatedNamesBytes(known === 'assets' ? 'asset' : 'vulnerability', 'stored')} from ${sql.table(table)} stored
      where stored.organization_id = r.organization_id and stored.id = r.id), 0)`,
    columns: missing.map(({ field, label }) => ({ key: field, header: fields[field]?.listLabel ?? label })),
    async load(trx, ids) {
      const { rows } = await sql<Values & { id: string; names: string[] }>`
        select r.id, ${sql.join(stored.map(({ column }) => sql.ref(`r.${column}`)))}, ${relatedNames(table)} as names
        from ${sql.table(table)} r
        where r.organization_id = current_organization() and r.id = any (${ids}::uuid[])`.execute(trx);
      const valuesOf = ({ names, ...row }: (typeof rows)[number]): Values => ({
        ...Object.fromEntries(stored.map(({ field, column }) => [field, row[column]])),
        relatedAssets: joinNames(names),
      });
      return new Map(rows.map((row) => [row.id, valuesOf(row)]));
    },
  };
}
