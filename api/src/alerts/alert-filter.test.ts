import { insertJob, newId, withOrganization } from '@riskboard/db';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Person, signUp } from '../testing/person.ts';
import { rowMaker } from '../testing/records.ts';
import { strangeId } from '../testing/report.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
let ada: Person;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  ada = await signUp(api);
});
afterAll(() => api.close());

/** Stores an alert about these subjects as the worker does. @returns its id */
const alertAbout = (person: Person, subjects: readonly string[]): Promise<string> =>
  withOrganization(api.database, person.user.organizationId, async (trx) => {
    const [id, rule] = [newId(), newId()];
    await sql`insert into alert_rule (organization_id, id, name, kind)
      values (current_organization(), ${rule}, 'Rule', 'critical-vulnerability')`.execute(trx);
    await sql`
      insert into alert (organization_id, id, kind, severity, title, description, count, link, rule_id)
      values (current_organization(), ${id}, 'critical-vulnerability', 'critical', 'Many', '', ${subjects.length}, '/',
        ${rule})`.execute(trx);
    await sql`
      insert into alert_finding (organization_id, rule_id, subject_id, occurrence, alert_id)
      select current_organization(), ${rule}, id, 'created', ${id}
      from unnest(${[...subjects]}::uuid[]) as id`.execute(trx);
    return id;
  });

async function makeVulnerabilities(person: Person): Promise<string[]> {
  const names = ['earlier', 'first', 'second', 'later'];
  return rowMaker(api, person).make(
    'vulnerability',
    names.map((name) => ({ name, severity: 9.5 })),
  );
}

async function makeAssets(person: Person): Promise<string[]> {
  const rows = rowMaker(api, person);
  const [project] = await rows.make('project', [{ name: 'Harbour', start_date: '2026-01-01' }]);
  const names = ['earlier', 'first', 'second', 'later'];
  return rows.make(
    'asset',
    names.map((name) => ({ name, project_id: project, asset_type_id: 1 })),
  );
}

const makeJobs = (person: Person): Promise<string[]> =>
  withOrganization(api.database, person.user.organizationId, async (trx) => {
    const ids: string[] = [];
    const { organizationId } = person.user;
    for (let n = 0; n < 4; n += 1)
      ids.push(await insertJob(trx, { kind: 'alerts.evaluate', payload: {}, organizationId }));
    return ids;
  });

interface Listed {
  total: number;
  facets: Record<string, { values: { count: number }[] }>;
  [rows: string]: unknown;
}

describe.each([
  { noun: 'vulnerabilities', make: makeVulnerabilities, facet: 'status' },
  { noun: 'assets', make: makeAssets, facet: 'health' },
  { noun: 'jobs', make: makeJobs, facet: 'state' },
])('the $noun of an alert', ({ noun, make, facet }) => {
  const list = async (query: string): Promise<Listed> =>
    (await ada.get(`/api/${noun}?${query}`)).json<Listed>();

  it('are exactly those that it reported: rows, total, export and facets', async () => {
    const subjects = (await make(ada)).slice(1, 3);
    const query = `alert=${await alertAbout(ada, subjects)}`;
    const listed = await list(query);
    expect(listed.total).toBe(2);
    expect((listed[noun] as { _id: string }[]).map(({ _id }) => _id).toSorted()).toEqual(subjects.toSorted());
    const exported = await ada.get(`/api/${noun}/export?format=json&${query}`);
    expect(exported.json<unknown[]>()).toHaveLength(2);
    const { facets } = (await ada.get(`/api/${noun}/facets?field=${facet}&${query}`)).json<Listed>();
    expect(facets[facet]?.values.reduce((sum, { count }) => sum + count, 0)).toBe(2);
  });

  it('are an empty list for an unknown alert and for one of another organization', async () => {
    await make(ada);
    const eve = await signUp(api);
    const strange = await alertAbout(eve, await make(eve));
    for (const id of [strange, strangeId()]) expect(await list(`alert=${id}`)).toMatchObject({ total: 0 });
    expect((await ada.get(`/api/${noun}?alert=x`)).statusCode).toBe(422);
  });
});
