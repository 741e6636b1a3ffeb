import type { Asset, AssetDetail, OrganizationEvent, Project } from '@riskboard/contract';
import { newId, withOrganization } from '@riskboard/db';
import { sql } from 'kysely';
import type { Answer, Person } from './person.ts';
import type { TestApi } from './start-api.ts';

/** PUT with an optional If-Match version. */
export const put = (person: Person, url: string, body: object, version?: string): Promise<Answer> =>
  person.call({
    method: 'PUT',
    url,
    body,
    ...(version === undefined ? {} : { headers: { 'if-match': version } }),
  });

function requireCreated(answer: Answer): Answer {
  if (answer.statusCode !== 201) throw new Error(`${answer.statusCode}: ${answer.body}`);
  return answer;
}

export const makeProject = async (person: Person, fields: object = {}): Promise<Project> =>
  requireCreated(
    await person.post('/api/projects', {
      name: 'Harbour',
      description: 'Cranes and locks',
      startDate: '2026-01-05',
      ...fields,
    }),
  ).json<Project>();

export const makeAsset = async (
  person: Person,
  projectId: string,
  fields: object = {},
): Promise<AssetDetail> =>
  requireCreated(
    await person.post(`/api/assets?projectId=${projectId}`, {
      name: 'Gate server',
      description: 'Opens and closes',
      assetTypeId: 2,
      ...fields,
    }),
  ).json<AssetDetail>();

/** Inserts records related to assets directly into the database. @returns their ids */
export function makeRecords(
  { database }: TestApi,
  { user: { organizationId } }: Person,
  record: { table: 'threat' | 'vulnerability'; names: string[]; assets?: string[]; columns?: object },
): Promise<string[]> {
  const { table, names, assets = [], columns = {} } = record;
  return withOrganization(database, organizationId, async (trx) => {
    const ids = names.map(() => newId());
    for (const [n, id] of ids.entries()) {
      const row = { organization_id: organizationId, id, name: names[n] ?? '', ...columns };
      await trx.insertInto(table).values(row).execute();
    }
    await sql`
      insert into ${sql.table(`${table}_asset`)} (organization_id, ${sql.ref(`${table}_id`)}, asset_id)
      select current_organization(), record.id, asset.id
      from unnest(${ids}::uuid[]) record (id) cross join unnest(${assets}::uuid[]) asset (id)`.execute(trx);
    return ids;
  });
}

/** Published changes, oldest first, as `asset.changed deleted 2`. */
export const publishedChanges = ({ relay }: TestApi): string[] =>
  relay.published
    .map(({ message }) => message as Extract<OrganizationEvent, { action: string }>)
    .filter(({ action }) => action !== undefined)
    .map(({ type, action, count }) => `${type} ${action} ${count}`);

export const names = (rows: readonly Pick<Asset, 'name'>[]): string[] => rows.map(({ name }) => name);
