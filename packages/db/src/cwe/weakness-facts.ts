import { catalogueFacts, type CatalogueEntry, type CatalogueFacts } from '@riskboard/domain';
import { sql } from 'kysely';
import type { OrganizationTransaction } from '../with-organization.ts';

export interface OrganizationFacts {
  /** Names the catalogue of the organization, as in 'CWE 4.15'. */
  catalogueVersion: string;
  /** By number; every requested number has an entry. */
  weaknesses: Map<number, CatalogueFacts>;
}

type Catalogue = ReadonlyMap<number, CatalogueEntry>;

/** Entries by catalogue. A catalogue never changes; the oldest of more than these is read again when it is needed. */
const read = new Map<string, Catalogue>();
const mostRead = 8;

async function readEntries(trx: OrganizationTransaction, id: string): Promise<Catalogue> {
  const known = read.get(id);
  if (known !== undefined) return known;
  const rows = await trx
    .selectFrom('cwe_entry')
    .select(['id', 'kind', 'name', 'status', 'likelihood', 'impacts', 'parents'])
    .where('catalogue_id', '=', id)
    .execute();
  const entries = new Map(rows.map(({ id: number, ...entry }): [number, CatalogueEntry] => [number, entry]));
  read.set(id, entries);
  const [oldest] = read.keys();
  if (read.size > mostRead && oldest !== undefined) read.delete(oldest);
  return entries;
}

/**
 * What the catalogue of the current organization states about weaknesses, for scores. One small query for any number of
 * ids, and one for a catalogue that this process has not read yet.
 * @param ids numbers of CWEs, see cweNumber
 */
export async function weaknessFacts(
  trx: OrganizationTransaction,
  ids: readonly number[],
): Promise<OrganizationFacts> {
  // Under row-level security: the catalogue of another organization is not found.
  const catalogue = await trx
    .selectFrom('cwe_catalogue')
    .select(['id', 'version'])
    .where('id', '=', sql<string>`current_catalogue()`)
    .executeTakeFirst();
  const catalogueVersion = `CWE ${catalogue?.version ?? '(none)'}`;
  const entries = catalogue ? await readEntries(trx, catalogue.id) : new Map<number, CatalogueEntry>();
  return {
    catalogueVersion,
    weaknesses: new Map(ids.map((id) => [id, catalogueFacts(id, entries, catalogueVersion)])),
  };
}
