import { searchIds } from '@riskboard/domain';
import { withClient } from '@riskboard/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { whereOf } from './lists/conditions.ts';
import { threatSource } from './lists/threats.ts';
import { count } from './lists/total.ts';
import { vulnerabilitySource } from './lists/vulnerabilities.ts';
import { newId } from './new-id.ts';
import { type SearchNoun, searchRecords } from './search.ts';
import { type OpenDatabase, openClone } from './testing/open.ts';
import { makeFile, makeOrganization } from './testing/organization.ts';
import { type OrganizationTransaction, withOrganization } from './with-organization.ts';

let database: OpenDatabase;
let ours: string;
let theirs: string;
beforeAll(async () => {
  database = await openClone();
  [ours, theirs] = [await makeOrganization(database), await makeOrganization(database)];
  for (const organizationId of [ours, theirs]) await fill(organizationId);
});
afterAll(() => database.end());

const vulnerabilities: [string, string, string[]][] = [
  ['Injection in the login', 'CVE-2024-1000', ['CWE-89', 'CWE-79']],
  ['Blind injection', 'CVE-2024-10001', ['CWE-890']],
  ['CVE-2024-1000 once more', '', []],
  ['50% off_by one', 'CVE-2023-0001', ['CWE-193']],
  ['Zu viel Ärger', '', []],
];
const threats: [string, string][] = [
  ['PowerShell', 'T1059.001'],
  ['Command and Scripting Interpreter', 'T1059'],
  ['SQL Injection', 'CAPEC-66'],
  ['Blind SQL Injection', 'CAPEC-7'],
  ['About CAPEC-66', ''],
];

async function fill(organizationId: string): Promise<void> {
  const common = { organization_id: organizationId };
  await withOrganization(database, organizationId, async (trx) => {
    for (const [name, cve_id, cwe] of vulnerabilities)
      await trx
        .insertInto('vulnerability')
        .values({
          ...common,
          id: newId(),
          name,
          cve_id,
          cwe,
          severity: 5,
          details: JSON.stringify({ affectedProducts: ['Acme pump'] }),
        })
        .execute();
    for (const [name, threat_id] of threats)
      await trx
        .insertInto('threat')
        .values({ ...common, id: newId(), name, threat_id })
        .execute();
    const project_id = newId();
    await trx
      .insertInto('project')
      .values({ ...common, id: project_id, name: 'Injection pumps', start_date: '2026-01-01' })
      .execute();
    for (const name of ['Pump', 'Injection pump'])
      await trx
        .insertInto('asset')
        .values({ ...common, id: newId(), project_id, name, asset_type_id: 1 })
        .execute();
  });
  await makeFile(database, organizationId, { name: 'injections.json' });
}

const find = (noun: SearchNoun, text: string, organizationId = ours) =>
  withOrganization(database, organizationId, (trx) =>
    searchRecords(trx, noun, { text, ids: searchIds(text) }),
  );
const titles = async (noun: SearchNoun, text: string): Promise<string[]> =>
  (await find(noun, text)).items.map(({ title }) => title);

describe('vulnerabilities', () => {
  it.each([
    ['CVE-2024-1000', ['Injection in the login', 'Blind injection', 'CVE-2024-1000 once more']],
    ['2024-1000', ['Injection in the login', 'Blind injection', 'CVE-2024-1000 once more']],
    ['cve 2024 1000', ['Injection in the login']],
    ['injection', ['Injection in the login', 'Blind injection']],
    ['INJECT', ['Injection in the login', 'Blind injection']],
    ['CWE-89', ['Injection in the login']],
    ['cwe79', ['Injection in the login']],
    ['890', ['Blind injection']],
    ['50%', ['50% off_by one']],
    ['f_b', ['50% off_by one']],
    ['0% o', ['50% off_by one']],
    ['ärger', ['Zu viel Ärger']],
    ['in', ['Injection in the login', 'Blind injection']],
    ['z', ['Zu viel Ärger']],
    ['no such text', []],
    [String.raw`\%`, []],
  ])('"%s" finds %j', async (text, expected) => {
    expect(await titles('vulnerabilities', text)).toEqual(expected);
  });

  it.each([
    ['CVE-2024-1000', 0],
    ['CWE-89', 0],
    ['blind injection', 0],
    ['inject', 1],
    ['login', 2],
  ])('"%s" has rank %i', async (text, rank) => {
    expect((await find('vulnerabilities', text)).rank).toBe(rank);
  });

  it('have a subtitle with id, weaknesses and score', async () => {
    expect((await find('vulnerabilities', 'CWE-89')).items[0]?.subtitle).toBe(
      'CVE-2024-1000 · CWE-89, CWE-79',
    );
  });
});

describe('threats', () => {
  it.each([
    ['t1059', ['Command and Scripting Interpreter', 'PowerShell']],
    ['1059', ['Command and Scripting Interpreter', 'PowerShell']],
    ['ATT&CK T1059.001', ['PowerShell']],
    ['capec 66', ['SQL Injection']],
    ['CAPEC-66', ['SQL Injection', 'About CAPEC-66']],
    ['66', ['SQL Injection']],
    ['sql', ['SQL Injection', 'Blind SQL Injection']],
  ])('"%s" finds %j', async (text, expected) => {
    expect(await titles('threats', text)).toEqual(expected);
  });
});

describe('the filter by the identifier in the text', () => {
  it.each([
    ['vulnerabilities', 'cwe 79', { field: 'cwe', values: ['CWE-79'], total: 1 }],
    ['vulnerabilities', '89', { field: 'cwe', values: ['CWE-89'], total: 1 }],
    // Other records have a name or a longer id that contains it.
    ['vulnerabilities', 'CVE-2024-1000', { field: 'cveId', values: ['CVE-2024-1000'], total: 1 }],
    ['threats', 'T1059', { field: 'threatID', values: ['T1059'], total: 1 }],
    ['threats', '1059', { field: 'threatID', values: ['CAPEC-1059', 'T1059'], total: 1 }],
    ['threats', 'capec 66', { field: 'threatID', values: ['CAPEC-66'], total: 1 }],
    ['vulnerabilities', '50', undefined],
    ['vulnerabilities', 'injection', undefined],
    ['threats', 'CWE-89', undefined],
    ['assets', '89', undefined],
  ] as const)('among %s, for "%s", is %j', async (noun, text, expected) => {
    expect((await find(noun, text)).byId).toEqual(expected);
  });

  it.each([
    ['vulnerabilities', vulnerabilitySource, 'CWE-79', 4],
    ['vulnerabilities', vulnerabilitySource, 'CVE-2024-7777', 3],
    ['threats', threatSource, '1059', 5],
  ] as const)('counts the rows of the list of %s for "%s"', async (noun, source, text, total) => {
    const organizationId = await makeOrganization(database);
    await withOrganization(database, organizationId, async (trx) => {
      await sql`insert into vulnerability (organization_id, id, name, cve_id, cwe, severity)
        select current_organization(), gen_random_uuid(), 'About CWE-79 and CVE-2024-7777', cve, string_to_array(cwe, ' '), 5
        from (values ('CVE-2024-7777', 'CWE-79'), ('CVE-2024-7777', 'CWE-89 CWE-79'), ('CVE-2024-7777', 'CWE-790'),
          ('cve-2024-7777', 'CWE-79'), ('CVE-2024-77770', 'CWE-89 CWE-79'), ('', '')) of (cve, cwe)`.execute(
        trx,
      );
      await sql`insert into threat (organization_id, id, name, threat_id)
        select current_organization(), gen_random_uuid(), 'T1059', id
        from unnest(array['T1059', 'T1059', 'T1059', 'CAPEC-1059', 'CAPEC-1059', 'T1059.001', 't1059', '']) id`.execute(
        trx,
      );
      const { byId } = await searchRecords(trx, noun, { text, ids: searchIds(text) });
      const filter = { [byId?.field ?? '']: byId?.values };
      expect([byId?.total, await count(trx, source, whereOf(source, filter))]).toEqual([total, total]);
    });
  });

  it('counts up to a thousand', async () => {
    const organizationId = await makeOrganization(database);
    await withOrganization(database, organizationId, (trx) =>
      sql`insert into vulnerability (organization_id, id, name, cwe, severity)
        select current_organization(), gen_random_uuid(), 'Thing ' || n, case when n % 2 = 0 then '{CWE-79}' else '{CWE-89,CWE-79}' end::text[], 5
        from generate_series(1, 2200) n`.execute(trx),
    );
    expect(await find('vulnerabilities', 'CWE-79', organizationId)).toMatchObject({
      total: 1000,
      byId: { total: 1000 },
    });
  });
});

describe('the other nouns', () => {
  it.each([
    ['assets', 'injection', [['Injection pump', 'Injection pumps']]],
    [
      'assets',
      'pump',
      [
        ['Pump', 'Injection pumps'],
        ['Injection pump', 'Injection pumps'],
      ],
    ],
    ['projects', 'pumps', [['Injection pumps', 'active']]],
    ['reports', 'INJECTIONS', [['injections.json', expect.stringMatching(/^\d{4}-\d\d-\d\d$/u)]]],
  ] as const)('%s by "%s"', async (noun, text, expected) => {
    expect((await find(noun, text)).items.map(({ title, subtitle }) => [title, subtitle])).toEqual(expected);
  });
});

it('shows six and counts up to a thousand', async () => {
  const organizationId = await makeOrganization(database);
  await withOrganization(database, organizationId, (trx) =>
    sql`insert into threat (organization_id, id, name)
      select current_organization(), gen_random_uuid(), 'Thing ' || n from generate_series(1, 1200) n`.execute(
      trx,
    ),
  );
  const { total, items } = await find('threats', 'thing', organizationId);
  expect([total, items.length]).toEqual([1000, 6]);
  expect((await find('threats', 'thing 119', organizationId)).total).toBe(11);
});

const names = ['本社東京サーバの脆弱性', 'ฐานข้อมูลลูกค้า', 'ΟΔΟΣΗΜΑ', 'ΟΔΟΣ', 'Οδός μιας πόλης'];

it.each([
  ['東京', ['本社東京サーバの脆弱性']],
  ['京', ['本社東京サーバの脆弱性']],
  ['サー', ['本社東京サーバの脆弱性']],
  ['ลู', ['ฐานข้อมูลลูกค้า']],
  ['ΟΔΟΣ', ['ΟΔΟΣ', 'ΟΔΟΣΗΜΑ']],
  ['οδοσ', ['ΟΔΟΣ', 'ΟΔΟΣΗΜΑ']],
  ['ΜΙΑΣ', ['Οδός μιας πόλης']],
])('"%s" of another script finds %j, as the list does', async (text, expected) => {
  const organizationId = await makeOrganization(database);
  await withOrganization(database, organizationId, async (trx) => {
    for (const name of names)
      await trx
        .insertInto('vulnerability')
        .values({ organization_id: organizationId, id: newId(), name, severity: 5 })
        .execute();
    const { items, total } = await searchRecords(trx, 'vulnerabilities', { text, ids: searchIds(text) });
    expect(items.map(({ title }) => title)).toEqual(expected);
    const listed = await count(trx, vulnerabilitySource, whereOf(vulnerabilitySource, { search: text }));
    expect([total, listed]).toEqual([expected.length, expected.length]);
  });
});

describe('the search functions that bypass row-level security', () => {
  const functions = [
    "vulnerabilities_like('%injection%', null)",
    "vulnerabilities_of_products('{%pump%}', null)",
    "vulnerabilities_of_weakness('CWE-89', null)",
    "threats_like('%injection%', null)",
    "assets_like('%pump%', null)",
    "assets_with_text('%pump%', null)",
    "ids_after('vulnerability', 'severity', false, true, 0, '00000000-0000-0000-0000-000000000000', null)",
    `ids_in_ranges('vulnerability', 'severity', '{"[0,10]"}', null)`,
    "projects_like('%pump%', null)",
  ];
  const ofLists = "lists_in_column('vulnerability', 'cwe', 200)";
  const inRanges = `count_in_ranges('vulnerability', 'severity', '{"[0,10]"}', 10000)`;
  const ofWeakness = "count_of_weakness('CWE-89', 10000)";
  /** Functions that count, and those that return the ids of the same rows. */
  const counting = [
    [inRanges, `ids_in_ranges('vulnerability', 'severity', '{"[0,10]"}', null)`],
    [ofWeakness, "vulnerabilities_of_weakness('CWE-89', null)"],
  ] as const;
  const idsOf = async (trx: Pick<OrganizationTransaction, 'getExecutor'>, call: string): Promise<string[]> =>
    (await sql<{ id: string }>`select id from ${sql.raw(call)} id order by id`.execute(trx)).rows.map(
      ({ id }) => id,
    );

  it('are all tested here, apart from trigger functions, which nothing can call', async () => {
    const { rows } = await sql<{ name: string }>`
      select proname as name from pg_proc
      where prosecdef and prorettype <> 'trigger'::regtype and pronamespace = 'public'::regnamespace order by 1`.execute(
      database.app,
    );
    expect(rows.map(({ name }) => name)).toEqual(
      [...functions, inRanges, ofWeakness, ofLists].map((call) => call.replace(/\(.*/u, '')).toSorted(),
    );
  });

  const countOf = async (trx: Pick<OrganizationTransaction, 'getExecutor'>, call: string) =>
    (await sql<{ count: number }>`select ${sql.raw(call)} as count`.execute(trx)).rows[0]?.count;

  it.each(counting)(
    '%s counts only rows of the current organization, each once, at most as many as asked',
    async (call, ids) => {
      await withOrganization(database, ours, async (trx) => {
        const { length } = await idsOf(trx, ids);
        expect(length).toBeGreaterThan(0);
        expect(await countOf(trx, call)).toBe(length);
        expect(await countOf(trx, call.replace('10000', '1'))).toBe(1);
      });
      expect(await countOf(database.app, call)).toBe(0);
      await expect(countOf(database.system, call)).rejects.toThrow('permission denied');
    },
  );

  it('lists_in_column has the lists of the current organization only, each once', async () => {
    const listsOf = async (trx: Pick<OrganizationTransaction, 'getExecutor'>) =>
      (await sql<{ cwe: string[] }>`select cwe from ${sql.raw(ofLists)} cwe`.execute(trx)).rows.map(
        ({ cwe }) => cwe.join(),
      );
    await withOrganization(database, ours, async (trx) => {
      const { rows } = await sql<{ cwe: string[] }>`
        select distinct cwe from vulnerability where cwe <> '{}' order by cwe desc`.execute(trx);
      expect(rows.length).toBeGreaterThan(0);
      expect(await listsOf(trx)).toEqual(rows.map(({ cwe }) => cwe.join()));
    });
    expect(await listsOf(database.app)).toEqual([]);
    await expect(listsOf(database.system)).rejects.toThrow('permission denied');
  });

  it('count_in_ranges counts several ranges', () =>
    withOrganization(database, ours, async (trx) => {
      const two = inRanges.replace('"[0,10]"', '"[0,5)","[5,10]"');
      expect(await countOf(trx, two)).toBe(await countOf(trx, inRanges));
    }));

  it.each(functions)(
    '%s returns only rows of the current organization, and none without one',
    async (call) => {
      const [mine, other] = await Promise.all(
        [ours, theirs].map((id) => withOrganization(database, id, (trx) => idsOf(trx, call))),
      );
      expect(mine?.length).toBeGreaterThan(0);
      expect(other?.length).toBe(mine?.length);
      expect(mine?.filter((id) => other?.includes(id))).toEqual([]);
      expect(await idsOf(database.app, call)).toEqual([]);
      await expect(idsOf(database.system, call)).rejects.toThrow('permission denied');
    },
  );

  it.each([
    ["ids_in_ranges('account', 'id', '{\"[0,1]\"}', null)", 'does not exist'],
    ["ids_in_ranges('vulnerability', 'version', '{\"[0,1]\"}', null)", 'permission denied'],
    ["ids_in_ranges('vulnerability r, account', 'severity', '{\"[0,1]\"}', null)", 'does not exist'],
    ["ids_in_ranges('vulnerability', 'severity or true', '{\"[0,1]\"}', null)", 'does not exist'],
    ["count_in_ranges('account', 'id', '{\"[0,1]\"}', 9)", 'does not exist'],
    ["count_in_ranges('vulnerability', 'version', '{\"[0,1]\"}', 9)", 'permission denied'],
  ])('%s is refused: %s', async (call, error) => {
    await expect(withOrganization(database, ours, (trx) => idsOf(trx, call))).rejects.toThrow(error);
  });

  it('run as a role that can read only the columns of searches and filters', async () => {
    await withClient(database.clone.adminUrl, async (admin) => {
      const { rows } = await admin.query<{ right: string }>(
        `select table_name || '.' || column_name || ' ' || privilege_type as right
         from information_schema.column_privileges where grantee = 'riskboard_search' order by 1`,
      );
      const readable = {
        asset: [
          'description',
          'id',
          'name',
          'organization_id',
          'recovery_cost',
          'replacement_cost',
          'risk_score',
        ],
        project: ['id', 'name', 'organization_id'],
        threat: ['id', 'name', 'organization_id', 'risk_level', 'threat_id'],
        vulnerability: [
          'cve_id',
          'cvss_score',
          'cwe',
          'cwss_overrides',
          'cwss_score',
          'cwss_stale',
          'details',
          'exploitability',
          'id',
          'impact',
          'name',
          'organization_id',
          'severity',
        ],
      };
      expect(rows.map(({ right }) => right)).toEqual(
        Object.entries(readable).flatMap(([table, columns]) =>
          columns.map((column) => `${table}.${column} SELECT`),
        ),
      );
      const creates = await admin.query<{ may: boolean }>(
        "select has_schema_privilege('riskboard_search', 'public', 'create') as may",
      );
      expect(creates.rows).toEqual([{ may: false }]);
    });
  });
});

it('a report has a subtitle with the STIX versions that were read', async () => {
  const name = 'versions.xml';
  await makeFile(database, ours, { name });
  const subtitle = async () => (await find('reports', name)).items[0]?.subtitle ?? '';
  expect(await subtitle()).toMatch(/^\d{4}-\d{2}-\d{2}$/u);
  await withOrganization(database, ours, (trx) =>
    trx.updateTable('report_file').set({ stix_version: '1.0,1.1.1,1.2' }).where('name', '=', name).execute(),
  );
  expect(await subtitle()).toMatch(/^STIX 1\.0, 1\.1\.1 and 1\.2 · /u);
});
