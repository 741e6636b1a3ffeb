import type { Call, reports } from '@riskboard/contract';
import { type ListSource, type OrganizationTransaction, reportFileSource } from '@riskboard/db';
import { sql } from 'kysely';
import { showPage } from '../lib/list.ts';
import { presentFile } from './present.ts';

/** The list kept to these names, in any case: an upload asks whether they exist. The kit's own extras are one value. */
const named = (names: string[]): ListSource => ({
  ...reportFileSource,
  extra: {
    names: () => sql<boolean>`r.name_key in (select lower(n) from unnest(${names}::text[]) n)`,
  },
});

export async function listFiles(
  trx: OrganizationTransaction,
  { name, ...query }: Call<typeof reports.files>['query'],
) {
  const names = name === undefined ? [] : [name].flat();
  const source: ListSource = names.length === 0 ? reportFileSource : named(names);
  const asked = { ...query, ...(names.length > 0 && { names: 'given' }) };
  const { rows, ...page } = await showPage(trx, source, { query: asked, present: presentFile });
  return { files: rows, ...page };
}
