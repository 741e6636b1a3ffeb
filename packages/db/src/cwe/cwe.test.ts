import { Cwe } from '@riskboard/contract/schemas';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrateToLatest } from '../migrate/migrate.ts';
import { type OpenDatabase, openClone } from '../test/open.ts';
import { catalogueVersion, readCatalogue } from './catalogue.ts';
import { findCwe, keepCwe } from './find.ts';

let database: OpenDatabase;
beforeAll(async () => {
  database = await openClone();
});
afterAll(async () => {
  await database.end();
});

const rows = () =>
  database.app.selectFrom('cwe').select(['id', 'source', 'fetched_at']).orderBy('id').execute();

async function asOwner(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: database.clone.url });
  await client.connect();
  await client.query(statement);
  await client.end();
}

const entry = (id: number, name: string) => ({
  id,
  data: {
    Name: name,
    Abstraction: 'Base',
    Structure: 'Simple',
    Status: 'Draft',
    Description: 'Of a test.',
    Likelihood: '',
    Weaknesses: [{ ID: '79', Nature: 'ChildOf' }],
    Consequences: [],
  },
});

describe('the catalogue', () => {
  it('has a version, and each weakness and category once', async () => {
    expect(await catalogueVersion()).toMatch(/^CWE \d+\.\d+$/u);
    const entries = await readCatalogue();
    const categories = entries.filter(({ data }) => data.Abstraction === 'Category');
    expect(categories.length).toBeGreaterThan(300);
    expect(entries.length - categories.length).toBeGreaterThan(900);
    expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
  });

  it('has a name, a description without markup and relations to existing entries in every entry', async () => {
    const entries = await readCatalogue();
    const ids = new Set(entries.map(({ id }) => String(id)));
    for (const { data } of entries) {
      expect(data.Name).not.toBe('');
      expect(data.Description).toMatch(/^\S(?:.*\S)?$/u);
      expect(data.Description).not.toMatch(/<\/?xhtml|&(?:amp|lt|quot);/u);
      const relations = data.Weaknesses.map(({ ID, Nature }) => `${Nature} ${ID}`);
      expect(new Set(relations).size).toBe(relations.length);
      if (data.Abstraction === 'Category') continue;
      for (const { ID } of data.Weaknesses) expect(ids).toContain(ID);
    }
  });

  it('is in the database after the migrations and matches the contract', async () => {
    expect((await rows()).length).toBe((await readCatalogue()).length);
    const xss = Cwe.parse(await findCwe(database, 79));
    expect(xss).toMatchObject({
      ID: '79',
      Name: "Improper Neutralization of Input During Web Page Generation ('Cross-site Scripting')",
      Abstraction: 'Base',
      Structure: 'Simple',
      Status: 'Stable',
      Likelihood: 'High',
      url: 'https://cwe.mitre.org/data/definitions/79.html',
      source: await catalogueVersion(),
    });
    expect(xss.Weaknesses).toContainEqual({
      ID: '74',
      Name: expect.stringContaining('Injection') as string,
      Nature: 'ChildOf',
    });
    expect(xss.Weaknesses).toContainEqual({
      ID: '80',
      Name: expect.any(String) as string,
      Nature: 'ParentOf',
    });
    expect(xss.Consequences[0]?.Scope).toContain('Confidentiality');
  });

  it('has the categories that older CVE records refer to', async () => {
    expect(await findCwe(database, 310)).toMatchObject({
      Name: 'Cryptographic Issues',
      Abstraction: 'Category',
      Likelihood: '',
    });
    expect(await findCwe(database, 999_999)).toBeUndefined();
  });
});

describe('loading the catalogue', () => {
  it('changes nothing the second time, also in several processes at once', async () => {
    const before = await rows();
    await Promise.all([migrateToLatest(database.clone.url), migrateToLatest(database.clone.url)]);
    expect(await rows()).toEqual(before);
  });

  it('by several processes at once into an empty table works', async () => {
    await asOwner('delete from cwe');
    await Promise.all([1, 2, 3].map(() => migrateToLatest(database.clone.url)));
    expect(new Set((await rows()).map(({ source }) => source))).toEqual(new Set([await catalogueVersion()]));
    expect((await rows()).length).toBe((await readCatalogue()).length);
  });

  it('replaces entries of an older catalogue and of the REST API, and keeps entries that it does not have', async () => {
    await sql`update cwe set source = 'CWE 4.0', name = 'old' where id <> 79`.execute(database.system);
    await sql`update cwe set source = 'CWE REST API', name = 'from the API' where id = 79`.execute(
      database.system,
    );
    await keepCwe(database, entry(888_888, 'Newer than the catalogue'));
    await migrateToLatest(database.clone.url);
    const version = await catalogueVersion();
    expect((await rows()).filter(({ source }) => source !== version).map(({ id }) => id)).toEqual([888_888]);
    expect((await findCwe(database, 79))?.Name).toContain('Cross-site Scripting');
    expect((await findCwe(database, 74))?.Name).not.toBe('old');
  });
});

describe('an entry of the REST API', () => {
  it('is stored, and has the names of its relations from the table', async () => {
    await keepCwe(database, entry(777_777, 'From the API'));
    expect(Cwe.parse(await findCwe(database, 777_777))).toMatchObject({
      Name: 'From the API',
      source: 'CWE REST API',
      Weaknesses: [{ ID: '79', Name: expect.stringContaining('Cross-site') as string, Nature: 'ChildOf' }],
    });
  });

  it('never replaces an entry of the catalogue', async () => {
    await keepCwe(database, entry(79, 'A lie'));
    expect((await findCwe(database, 79))?.Name).toContain('Cross-site Scripting');
  });

  it('cannot be written by the application role', async () => {
    await expect(sql`update cwe set name = 'A lie' where id = 79`.execute(database.app)).rejects.toThrow(
      /permission denied/u,
    );
  });
});
