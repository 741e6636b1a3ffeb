import { vulnerabilityEntity } from '@riskboard/contract';
import { withClient } from '@riskboard/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { openRecorded, type RecordedDatabase } from '../testing/open.ts';
import { makeOrganization } from '../testing/organization.ts';
import { type OrganizationTransaction, withOrganization } from '../with-organization.ts';
import { csvLinesFrom } from './csv-lines.ts';
import { longTexts } from './long-texts.ts';
import { walkFrom } from './walk.ts';
import { vulnerabilitySource } from './vulnerabilities.ts';

/** More than two parts of vulnerabilities, each related to an asset of its own; every third has a CVE and a score. */
const size = 5001;

let database: RecordedDatabase;
let organizationId: string;
beforeAll(async () => {
  database = await openRecorded();
  organizationId = await makeOrganization(database);
  const idOf = (kind: string) => `md5('${kind} ' || n)::uuid`;
  await withClient(database.clone.adminUrl, async (admin) => {
    await admin.query(`
    set session_replication_role = replica;
    insert into asset (organization_id, id, project_id, name, asset_type_id, vulnerability_count)
      select '${organizationId}', ${idOf('asset')}, gen_random_uuid(), 'Crane ' || n, 1, 1 from generate_series(1, ${size}) n;
    insert into vulnerability (organization_id, id, name, cve_id, cvss_score, created_at, updated_at)
      select '${organizationId}', ${idOf('vulnerability')}, 'Flaw ' || n, case when n % 3 = 0 then 'CVE-2026-' || 10000 + n else '' end,
        case when n % 3 = 0 then n % 100 / 10.0 end, '2026-01-01'::timestamptz + n * interval '1 minute', '2026-01-01'::timestamptz + n * interval '1 minute'
      from generate_series(1, ${size}) n;
    insert into vulnerability_asset (organization_id, vulnerability_id, asset_id)
      select '${organizationId}', ${idOf('vulnerability')}, ${idOf('asset')} from generate_series(1, ${size}) n`);
    await admin.query('vacuum analyze');
  });
});
afterAll(() => database.end());

/** Indexes that a plan reads of a table. */
const indexesOf = (table: string, plan: object): string[] =>
  [...JSON.stringify(plan).matchAll(/"Index Name":"(\w+)","Relation Name":"(\w+)"/gu)].flatMap(
    ([, index = '', relation]) => (relation === table ? [index] : []),
  );

interface Exported {
  lines: string[];
  /** Parts whose next one was known before their lines were read. */
  ahead: number;
}

/**
 * All lines, in one transaction, which is rolled back. `meanwhile` changes records when the next part is known and the
 * lines of this one are not read yet: statements of a connection are run in their order.
 */
async function exported(
  fields: readonly string[],
  sort: string,
  meanwhile: (trx: OrganizationTransaction, part: number) => Promise<unknown> = () => Promise.resolve(),
): Promise<Exported> {
  const records = { entity: vulnerabilityEntity, source: vulnerabilitySource, fields };
  const found: Exported = { lines: [], ahead: 0 };
  const rolledBack = new Error('rolled back');
  const work = withOrganization(database, organizationId, async (trx) => {
    let cursor: string | undefined;
    do {
      let changed: Promise<unknown> | undefined;
      const step = await csvLinesFrom(trx, records, {
        query: { sort },
        cursor,
        onNext: () => {
          found.ahead += 1;
          changed = meanwhile(trx, found.ahead);
        },
      });
      await changed;
      found.lines.push(...step.rows.join('').split('\n').slice(0, -1));
      cursor = step.next;
    } while (cursor !== undefined);
    throw rolledBack;
  });
  await expect(work).rejects.toBe(rolledBack);
  return found;
}

const names = Array.from({ length: size }, (_, n) => `"Flaw ${size - n}"`);

test('the lines of all parts are in the order of the list, and each asset is looked up by its key', async () => {
  const { lines, ahead } = await exported(['name', 'relatedAssets'], '-createdAt');

  expect(lines).toEqual(Array.from({ length: size }, (_, n) => `"Flaw ${size - n}","Crane ${size - n}"`));
  expect(ahead).toBe(2);
  const plans = database.statements().filter(({ text }) => text.includes('string_agg(line'));
  expect(plans.length).toBeGreaterThan(1);
  expect(new Set(plans.flatMap(({ plan }) => indexesOf('asset', plan)))).toEqual(new Set(['asset_by_key']));
});

describe('records that change after the next part is known', () => {
  it('that are added within a part are lines of it', async () => {
    const add = (trx: OrganizationTransaction, part: number) =>
      sql`
        insert into vulnerability (organization_id, id, name, cve_id, created_at)
        select current_organization(), uuidv7(), 'Added ' || ${part}::int, '', '2026-01-01'::timestamptz
          + (${size - 2000 * part}::int + 10) * interval '1 minute' + n * interval '1 second'
        from generate_series(1, 30) n`.execute(trx);
    const { lines } = await exported(['name'], '-createdAt', add);
    for (const part of [1, 2]) expect(lines.filter((line) => line === `"Added ${part}"`)).toHaveLength(30);
    expect(lines.filter((line) => line.startsWith('"Flaw'))).toEqual(names);
  });

  // Documented with the sort of exports (packages/contract/src/schemas/list.ts).
  it.each([
    ['-createdAt', 1],
    ['createdAt', 1],
    ['-updatedAt', 0],
  ])('that are edited and not exported yet, by %s, are in it %i times', async (sort, times) => {
    const name = sort === 'createdAt' ? `Flaw ${size}` : 'Flaw 1';
    const edit = (trx: OrganizationTransaction, part: number) =>
      sql`update vulnerability set updated_at = clock_timestamp() where name = ${name} and ${part}::int = 2`.execute(
        trx,
      );
    const { lines } = await exported(['name'], sort, edit);
    expect(lines.filter((line) => line === `"${name}"`)).toHaveLength(times);
  });

  it('that are deleted are left out, also the last one of a part', async () => {
    const remove = (trx: OrganizationTransaction, part: number) =>
      sql`delete from vulnerability where name = any (${[
        `Flaw ${size - 2000 * part + 1}`,
        `Flaw ${size - 2000 * part + 7}`,
      ]})`.execute(trx);
    const { lines } = await exported(['name'], '-createdAt', remove);
    const removed = new Set(['"Flaw 3002"', '"Flaw 3008"', '"Flaw 1002"', '"Flaw 1008"']);
    expect(lines).toEqual(names.filter((name) => !removed.has(name)));
  });
});

it.each([
  ['cveId', 1],
  ['-cveId', 1],
  ['cvssScore', 0],
  ['-withdrawn', 1],
])('every record is a line once, by %s', async (sort, known) => {
  const { lines, ahead } = await exported(['name'], sort);
  expect(lines.toSorted()).toEqual(names.toSorted());
  expect(ahead).toBeGreaterThanOrEqual(known);
});

/** Gives the first records texts of 300 kB, which are 9 MB together, and one record a text of 5 MB. */
const lengthen = (trx: OrganizationTransaction) =>
  sql`
    update vulnerability set description = repeat('long ', case when name = 'Flaw 40' then 1000000 else 60000 end)
    where name in (select 'Flaw ' || n from generate_series(11, 40) n)`.execute(trx);

/** Relates each of the first records to 1,000 assets more. */
const relate = (trx: OrganizationTransaction) =>
  sql`
    insert into vulnerability_asset (organization_id, vulnerability_id, asset_id)
    select current_organization(), v.id, a.id from vulnerability v, asset a
    where v.name in (select 'Flaw ' || n from generate_series(11, 30) n)
      and a.name in (select 'Crane ' || n from generate_series(1001, 2000) n)`.execute(trx);

describe('parts of records with long texts', () => {
  const work = <T>(
    read: (trx: OrganizationTransaction) => Promise<T>,
    change: (trx: OrganizationTransaction) => Promise<unknown> = lengthen,
  ): Promise<T> => {
    const rolledBack = new Error('rolled back');
    let found: T;
    return withOrganization(database, organizationId, async (trx) => {
      await change(trx);
      found = await read(trx);
      throw rolledBack;
    }).catch((error: unknown) => {
      if (error !== rolledBack) throw error;
      return found;
    });
  };
  const most = 2 * 1024 * 1024;

  it.each(['createdAt', '-createdAt'])('have at most 2 MiB, or one record, by %s', async (sort) => {
    const records = {
      entity: vulnerabilityEntity,
      source: vulnerabilitySource,
      fields: ['name', 'description'],
    };
    const parts = await work(async (trx) => {
      const read: string[] = [];
      let cursor: string | undefined;
      do {
        const step = await csvLinesFrom(trx, records, { query: { sort }, cursor });
        read.push(step.rows.join(''));
        cursor = step.next;
      } while (cursor !== undefined);
      return read;
    });
    const lines = parts.flatMap((part) => part.split('\n').slice(0, -1));
    const all = sort === 'createdAt' ? names.toReversed() : names;
    expect(lines.map((line) => line.slice(0, line.indexOf(',')))).toEqual(all);
    const long = parts.filter((part) => part.length > most + 200_000);
    expect(long.map((part) => part.split('\n').length - 1)).toEqual([1]);
    expect(parts.length).toBeLessThan(15);
  });

  it('also have fewer records where these are related to many assets', async () => {
    const records = {
      entity: vulnerabilityEntity,
      source: vulnerabilitySource,
      fields: ['name', 'relatedAssets'],
    };
    const parts = await work(async (trx) => {
      const read: string[][] = [];
      let cursor: string | undefined;
      do {
        const step = await csvLinesFrom(trx, records, { query: { sort: 'createdAt' }, cursor });
        read.push(step.rows.join('').split('\n').slice(0, -1));
        cursor = step.next;
      } while (cursor !== undefined);
      return read;
    }, relate);
    expect(parts.flat().map((line) => line.slice(0, line.indexOf(',')))).toEqual(names.toReversed());
    const added = parts.map((lines) => lines.reduce((sum, line) => sum + line.split('; ').length - 1, 0));
    expect(added.reduce((sum, count) => sum + count)).toBe(20_000);
    expect(Math.max(...added)).toBeLessThanOrEqual(most / 200);
  });

  it('of rows are bounded in the same way', async () => {
    const bytes = longTexts(['description']);
    const source = { ...vulnerabilitySource, from: 'vulnerability r', rowColumns: sql`r.*` };
    const parts = await work(async (trx) => {
      const read: { name: string; description: string }[][] = [];
      let cursor: string | undefined;
      do {
        const step = await walkFrom<{ id: string; name: string; description: string }>(trx, source, {
          query: { sort: '-createdAt' },
          cursor,
          bytes,
        });
        read.push(step.rows);
        cursor = step.next;
      } while (cursor !== undefined);
      return read;
    });
    expect(parts.flat().map(({ name }) => `"${name}"`)).toEqual(names);
    const sizes = parts.map((part) => part.reduce((sum, { description }) => sum + description.length, 0));
    expect(sizes.filter((size) => size > most)).toEqual([5_000_000]);
  });
});
