import type { CatalogueContent, CweEntry } from '@riskboard/cwe';
import { type Kysely, sql } from 'kysely';
import { newId } from '../new-id.ts';

/** Where a catalogue comes from; an upload belongs to an organization. */
export type CatalogueOrigin =
  | { origin: 'bundled' | 'api'; organizationId: null; createdBy?: null }
  | { origin: 'upload'; organizationId: string; createdBy: string; fileName: string; fileHash: string };

/** The columns that lists and scores read without the whole entry. */
const rowOf = ({ id, kind, data: { Name, ...data } }: CweEntry) => ({
  id,
  kind,
  name: Name,
  abstraction: data.Abstraction,
  status: data.Status,
  likelihood: data.Likelihood,
  impacts: [...new Set(data.Consequences.flatMap(({ Impact }) => Impact))],
  parents: data.Weaknesses.filter(({ Nature, View }) => Nature === 'ChildOf' && View === '1000').map(
    ({ ID }) => Number(ID),
  ),
  data,
});

/** About 2 MB of JSON each. */
const entriesPerInsert = 250;

/**
 * Stores a catalogue under a version name, whole or not at all: call it in a transaction. A concurrent writer of the
 * same version waits for the first one.
 * @returns the id of the new catalogue; undefined when this version is stored already
 */
export async function storeCatalogue<Schema>(
  db: Kysely<Schema>,
  version: string,
  { content, ...origin }: CatalogueOrigin & { content: CatalogueContent },
): Promise<string | undefined> {
  const id = newId();
  const countOf = (kind: CweEntry['kind']) => content.entries.filter((entry) => entry.kind === kind).length;
  const upload = origin.origin === 'upload' ? origin : undefined;
  const { rows } = await sql`
    insert into cwe_catalogue (id, organization_id, version, content_version, content_date, origin, file_name, file_sha256,
      notice, weaknesses, categories, views, created_by)
    values (${id}, ${origin.organizationId}, ${version}, ${content.version}, ${content.date}, ${origin.origin},
      ${upload?.fileName ?? ''}, ${upload?.fileHash ?? ''}, ${content.notice}, ${countOf('weakness')},
      ${countOf('category')}, ${countOf('view')}, ${upload?.createdBy ?? null})
    on conflict (organization_id, version) do nothing
    returning id`.execute(db);
  if (rows.length === 0) return undefined;
  for (let from = 0; from < content.entries.length; from += entriesPerInsert) {
    const entries = JSON.stringify(content.entries.slice(from, from + entriesPerInsert).map(rowOf));
    await sql`
      insert into cwe_entry (catalogue_id, organization_id, id, kind, name, abstraction, status, likelihood, impacts,
        parents, data)
      select ${id}, ${origin.organizationId}::uuid, id, kind, name, abstraction, status, likelihood, impacts, parents, data
      from jsonb_to_recordset(${entries}::jsonb) as entry (id integer, kind text, name text, abstraction text,
        status text, likelihood text, impacts text[], parents integer[], data jsonb)`.execute(db);
  }
  return id;
}
