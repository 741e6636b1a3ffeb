import { Cwe } from '@riskboard/contract/schemas';
import { bundledVersion } from '@riskboard/cwe';
import { withClient } from '@riskboard/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrateToLatest } from '../migrate/migrate.ts';
import { type OpenDatabase, openClone } from '../testing/open.ts';
import { entryOf } from '../testing/catalogue.ts';
import { makeOrganization } from '../testing/organization.ts';
import { type OrganizationTransaction, withOrganization } from '../with-organization.ts';
import { catalogues } from './catalogues.ts';
import { findCwe, keepCwe } from './find.ts';
import { weaknessFacts } from './weakness-facts.ts';

let database: OpenDatabase;
let mine: string;
let theirs: string;
beforeAll(async () => {
  database = await openClone();
  [mine, theirs] = [await makeOrganization(database), await makeOrganization(database)];
});
afterAll(async () => {
  await database.end();
});

const inside = <T>(organizationId: string, work: (trx: OrganizationTransaction) => Promise<T>): Promise<T> =>
  withOrganization(database, organizationId, work);
const find = (id: number, organizationId = mine) => inside(organizationId, (trx) => findCwe(trx, id));
const versionOf = async (organizationId: string) =>
  (await inside(organizationId, catalogues)).find(({ inUse }) => inUse)?.version;

async function asAdmin(statement: string): Promise<void> {
  await withClient(database.clone.adminUrl, (client) => client.query(statement));
}

describe('the bundled catalogue', () => {
  it('is in the database after the migrations and matches the contract', async () => {
    const version = `CWE ${await bundledVersion()}`;
    const xss = Cwe.parse(await find(79));
    expect(xss).toMatchObject({
      ID: '79',
      kind: 'weakness',
      Name: "Improper Neutralization of Input During Web Page Generation ('Cross-site Scripting')",
      Abstraction: 'Base',
      Structure: 'Simple',
      Status: 'Stable',
      Likelihood: 'High',
      url: 'https://cwe.mitre.org/data/definitions/79.html',
      source: version,
      catalogueVersion: version,
      MappingNotes: { Usage: 'Allowed' },
      inheritedFrom: null,
      note: '',
      vulnerabilities: { total: 0, totalIsCapped: false, items: [] },
    });
    expect(xss.Parents).toContainEqual({
      ID: '74',
      Name: expect.stringContaining('Injection') as string,
      Views: ['1000', '1003'],
    });
    expect(xss.Children.map(({ ID }) => ID)).toContain('80');
    expect(xss.MemberOf.map(({ ID }) => ID)).toContain('1347');
    expect(xss.Weaknesses.filter(({ ID, Nature }) => ID === '74' && Nature === 'ChildOf')).toHaveLength(1);
    expect(xss.Consequences[0]?.Scope).toContain('Confidentiality');
    expect(xss.technicalImpacts).toContain('Read data');
    expect(xss.Mitigations[0]?.Phase).toEqual(['Architecture and Design']);
    expect(xss.Mitigations[0]?.Description).toContain('\n');
    expect(xss.ExtendedDescription).not.toBe('');
  });

  it('has the categories that older CVE records refer to, views with their members, and deprecated entries', async () => {
    expect(await find(310)).toMatchObject({
      kind: 'category',
      Name: 'Cryptographic Issues',
      Abstraction: 'Category',
      MappingNotes: { Usage: 'Prohibited' },
      technicalImpacts: [],
      note: expect.stringContaining('is a category') as string,
    });
    expect((await find(310))?.Members.length).toBeGreaterThan(5);
    const view = await find(1003);
    expect(view).toMatchObject({ kind: 'view', Abstraction: 'View' });
    expect(view?.Members.map(({ ID }) => ID)).toContain('20');
    expect(await find(92)).toMatchObject({ Status: 'Deprecated', note: 'CWE-92 is deprecated.' });
    expect(await find(999_999)).toBeUndefined();
  });

  it('gives weaknesses without a technical impact those of an ancestor in view 1000', async () => {
    const inherited = await inside(mine, (trx) =>
      weaknessFacts(
        trx,
        Array.from({ length: 1500 }, (_, index) => index + 1),
      ),
    );
    const all = [...inherited.weaknesses.values()];
    expect(all).toHaveLength(1500);
    // Reference: 88 of CWE 4.19.1 inherit, 71 stay without.
    expect(all.filter(({ inheritedFrom }) => inheritedFrom !== null).length).toBeGreaterThan(60);
  });
});

describe('loading the bundled catalogue', () => {
  const shared = () =>
    database.app.selectFrom('cwe_catalogue').select(['id', 'version', 'bundled_at']).orderBy('id').execute();

  it('changes nothing the second time, also in several processes at once', async () => {
    const before = await shared();
    await Promise.all([migrateToLatest(database.clone.url), migrateToLatest(database.clone.url)]);
    expect(await shared()).toEqual(before);
  });

  it('of a newer version leaves organizations on the version that they used', async () => {
    const [loaded] = await shared();
    await asAdmin(
      `update cwe_catalogue set version = '4.0', content_version = '4.0' where id = '${loaded?.id}'`,
    );
    const early = await makeOrganization(database);
    await Promise.all([1, 2].map(() => migrateToLatest(database.clone.url)));
    const late = await makeOrganization(database);
    expect(await versionOf(early)).toBe('4.0');
    expect(await versionOf(late)).toBe(await bundledVersion());
  });
});

describe('an entry of the REST API', () => {
  it('is stored, has the names of its relations from the catalogue, and is unknown to scores', async () => {
    await keepCwe(database, entryOf(777_777));
    expect(Cwe.parse(await find(777_777, theirs))).toMatchObject({
      Name: 'Weakness 777777',
      source: 'CWE REST API',
      Parents: [{ ID: '79', Name: expect.stringContaining('Cross-site') as string, Views: ['1000'] }],
      note: expect.stringContaining('does not know CWE-777777') as string,
    });
  });

  it('never replaces an entry of the catalogue or one that was fetched before', async () => {
    await keepCwe(database, entryOf(79, { Name: 'A lie' }));
    await keepCwe(database, entryOf(777_777, { Name: 'A lie' }));
    expect((await find(79, theirs))?.Name).toContain('Cross-site Scripting');
    expect((await find(777_777, theirs))?.Name).toBe('Weakness 777777');
  });

  it('cannot be written by the application role', async () => {
    await expect(sql`update cwe_lookup set name = 'A lie'`.execute(database.app)).rejects.toThrow(
      /permission denied/u,
    );
  });
});
