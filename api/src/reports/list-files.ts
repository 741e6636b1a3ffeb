import type { Call, reports } from '@riskboard/contract';
import { type ListSource, type OrganizationTransaction, reportFileSource } from '@riskboard/db';
import { sql } from 'kysely';
import { showPage } from '../lib/list.ts';
import { many } from '../lib/page.ts';
import { presentFile } from './present.ts';

/** The list kept to these names, in any case: an upload asks whether they exist. */
const named = (names: string[]): ListSource => ({
  ...reportFileSource,
  extra: {
    name: () => sql<boolean>`r.name_key in (select lower(n) from unnest(${names}::text[]) n)`,
  },
});

export async function listFiles(trx: OrganizationTransaction, query: Call<typeof reports.files>['query']) {
  const { rows, ...page } = await showPage(trx, named(many(query.name)), { query, present: presentFile });
  return { files: rows, ...page };
}
