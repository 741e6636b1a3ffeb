import { mostUploads } from '@riskboard/contract';
import type { CatalogueContent } from '@riskboard/cwe';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../new-id.ts';
import { catalogueOf, entryOf } from '../testing/catalogue.ts';
import { type OpenDatabase, openClone } from '../testing/open.ts';
import { makeOrganization } from '../testing/organization.ts';
import { type OrganizationTransaction, withOrganization } from '../with-organization.ts';
import { catalogues, deleteOldUploads, setCatalogue, storeShared, storeUploaded } from './catalogues.ts';
import { findCwe } from './find.ts';

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

const upload = (organizationId: string, content: CatalogueContent, fileHash = content.version) =>
  inside(organizationId, async (trx) => {
    const id = await storeUploaded(trx, {
      organizationId,
      createdBy: '00000000-0000-7000-8000-000000000001',
      fileName: 'cwe.json',
      fileHash,
      content,
    });
    await setCatalogue(trx, id);
    return id;
  });

describe('catalogues of organizations', () => {
  it('an upload is used and seen by its organization only', async () => {
    await upload(mine, catalogueOf('9.1', [entryOf(5), entryOf(79)]));
    expect(await versionOf(mine)).toBe('9.1 (upload 1)');
    expect(await find(5)).toMatchObject({
      Name: 'Weakness 5',
      source: 'CWE 9.1 (upload 1)',
      notice: 'Copyright MITRE',
    });
    expect(await versionOf(theirs)).not.toContain('upload');
    expect((await find(5, theirs))?.Name).not.toBe('Weakness 5');
    expect((await inside(theirs, catalogues)).map(({ version }) => version)).not.toContain('9.1 (upload 1)');
    const seen = await inside(theirs, (trx) =>
      trx
        .selectFrom('cwe_entry')
        .select('organization_id')
        .where('organization_id', 'is not', null)
        .execute(),
    );
    expect(seen).toEqual([]);
  });

  it('the same file is stored once, another one of the same version gets its own name', async () => {
    const first = await upload(mine, catalogueOf('9.2', [entryOf(6)]), 'a');
    expect(await upload(mine, catalogueOf('9.2', [entryOf(6)]), 'a')).toBe(first);
    expect(await upload(mine, catalogueOf('9.2', [entryOf(7)]), 'b')).not.toBe(first);
    expect(await versionOf(mine)).toBe('9.2 (upload 3)');
  });

  it('another organization cannot choose an upload, and the application cannot change any catalogue', async () => {
    const id = await upload(mine, catalogueOf('9.3', [entryOf(8)]));
    await expect(inside(theirs, (trx) => setCatalogue(trx, id))).rejects.toThrow(/does not see/u);
    for (const statement of [
      sql`update cwe_entry set name = 'x'`,
      sql`delete from cwe_entry`,
      sql`update cwe_catalogue set version = 'x'`,
      sql`delete from cwe_catalogue`,
    ])
      await expect(inside(mine, (trx) => statement.execute(trx))).rejects.toThrow(/permission denied/u);
    await expect(
      inside(theirs, (trx) =>
        sql`insert into cwe_entry select catalogue_id, ${mine}::uuid, 9, kind, name, abstraction,
        status, likelihood, impacts, parents, data from cwe_entry limit 1`.execute(trx),
      ),
    ).rejects.toThrow(/row-level security/u);
  });

  it('two organizations that store one version of MITRE share it, and a third keeps its own', async () => {
    const content = catalogueOf('9.9', [entryOf(5), entryOf(10)]);
    const [first, second] = await Promise.all([
      storeShared(database, content),
      storeShared(database, content),
    ]);
    expect(first).toBe(second);
    const before = await versionOf(theirs);
    await inside(mine, (trx) => setCatalogue(trx, first));
    expect(await versionOf(mine)).toBe('9.9');
    expect(await versionOf(theirs)).toBe(before);
    const [newest] = await inside(theirs, catalogues);
    expect(newest).toMatchObject({ version: '9.9', weaknesses: 2, categories: 0, inUse: false });
  });

  it('a change of the catalogue marks the scores of the organization as stale', async () => {
    const vulnerability = async (organizationId: string) => {
      const id = newId();
      await inside(organizationId, (trx) =>
        sql`insert into vulnerability (organization_id, id, key, name, cwss_score)
          values (${organizationId}::uuid, ${id}::uuid, ${id}, 'v', 50)`.execute(trx),
      );
      return id;
    };
    const [own, other] = [await vulnerability(mine), await vulnerability(theirs)];
    const id = await storeShared(database, catalogueOf('10.0', [entryOf(5)]));
    expect((await inside(mine, (trx) => setCatalogue(trx, id)))?.stale).toContain(own);
    expect(await inside(mine, (trx) => setCatalogue(trx, id))).toBeUndefined();
    const staleOf = (organizationId: string, one: string) =>
      inside(organizationId, (trx) =>
        trx.selectFrom('vulnerability').select('cwss_stale').where('id', '=', one).executeTakeFirst(),
      );
    expect(await staleOf(mine, own)).toEqual({ cwss_stale: ['catalogue'] });
    expect(await staleOf(theirs, other)).toEqual({ cwss_stale: [] });
  });

  it('the oldest uploads beyond ten are deleted, but never the one in use', async () => {
    const organizationId = await makeOrganization(database);
    const first = await upload(organizationId, catalogueOf('1.0', [entryOf(1)]));
    for (let number = 1; number <= 11; number += 1)
      await upload(organizationId, catalogueOf(`1.${number}`, [entryOf(1)]));
    await inside(organizationId, (trx) => setCatalogue(trx, first));
    await deleteOldUploads(database, organizationId);
    const uploads = (await inside(organizationId, catalogues)).filter(({ origin }) => origin === 'upload');
    // 1.1 is deleted; the newest version is first, by its numbers.
    const left = ['1.11', '1.10', '1.9', '1.8', '1.7', '1.6', '1.5', '1.4', '1.3', '1.2', '1.0'];
    expect(uploads.map(({ contentVersion }) => contentVersion)).toEqual(left);
    expect(await versionOf(organizationId)).toBe('1.0 (upload 1)');
  });

  it('the version name of a deleted upload is not used again', async () => {
    const organizationId = await makeOrganization(database);
    const names: (string | undefined)[] = [];
    for (let number = 0; number <= 2 * mostUploads; number += 1) {
      const version = number === 0 || number > mostUploads ? '2.0' : '2.1';
      await upload(organizationId, catalogueOf(version, [entryOf(1)]), `file ${number}`);
      await deleteOldUploads(database, organizationId);
      names.push(await versionOf(organizationId));
    }
    expect(names[0]).toBe('2.0 (upload 1)');
    expect(new Set(names).size).toBe(names.length);
  });
});
