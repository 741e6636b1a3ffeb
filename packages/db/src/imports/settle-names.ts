import { plainLine } from '@riskboard/domain';
import { type RawBuilder, sql } from 'kysely';
import type { OrganizationTransaction } from '../with-organization.ts';
import { type ImportRun, keyColumn, tableOf } from './write-columns.ts';

/** The plain form of those names that are written otherwise, by name; null when all are plain. */
export function plainForms(names: readonly (string | null)[]): Record<string, string> | null {
  const forms = names.flatMap((name): [string, string][] => {
    const plain = plainLine(name ?? '').trim();
    return name === null || name === plain ? [] : [[name, plain]];
  });
  return forms.length === 0 ? null : Object.fromEntries(forms);
}

/** The name, or its plain form where no row of the table has the name in this column. */
const settled = (name: RawBuilder<unknown>, table: string, column: string): RawBuilder<string> => sql<string>`
  coalesce(case when not exists (
    select from ${sql.table(table)} known
    where known.organization_id = current_organization() and ${sql.ref(`known.${column}`)} = ${name}
  ) then s._plain ->> ${name} end, ${name})`;

/**
 * Makes the names of the staged rows plain, as new records have them, except those that a record has exactly: older versions
 * stored names with characters that plain ones do not have, and an export has them too.
 */
export async function settleNames(trx: OrganizationTransaction, run: ImportRun): Promise<void> {
  await sql`
    update staged s set
      _key = ${settled(sql.ref('s._key'), tableOf(run), keyColumn(run))},
      _project = ${settled(sql.ref('s._project'), 'project', 'name')},
      _related = case when s._related is not null then array(
        select ${settled(sql.ref('related.name'), 'asset', 'name')}
        from unnest(s._related) with ordinality related (name, at) order by at) end
    where s._plain is not null`.execute(trx);
}
