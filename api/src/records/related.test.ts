import type { Graph, RelatedRecords } from '@riskboard/contract';
import { newId } from '@riskboard/db';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Person, signUp } from '../testing/person.ts';
import { rowMaker } from '../testing/records.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
let ada: Person;
let rows: ReturnType<typeof rowMaker>;
/** The record Emotet, the record CVE-1, and the report that says that Emotet exploits and targets it. */
let emotet: string;
let hole: string;
let fileId: string;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  ada = await signUp(api);
  rows = rowMaker(api, ada);
  const threat = await rows.imported('threat', {
    key: 'Emotet',
    file: 'threats.json',
    columns: { risk_level: 80 },
  });
  const vulnerability = await rows.imported('vulnerability', {
    key: 'CVE-1',
    columns: { cvss_score: 9.8, severity: 7 },
  });
  [emotet, hole, fileId] = [threat.id, vulnerability.id, vulnerability.fileId];
  await setObject(threat.fileId, 'malware--1');
  await setObject(fileId, 'vulnerability--1');
  await relate('exploits', 'targets');
});
afterAll(() => api.close());

const setObject = (file: string, id: string) =>
  rows.inside((trx) =>
    trx
      .updateTable('report_record')
      .set({ stix_id: id, source_ids: [id] })
      .where('file_id', '=', file)
      .execute(),
  );

const relate = (...types: string[]) =>
  rows.inside((trx) =>
    trx
      .insertInto('report_relation')
      .values(
        types.map((type, ordinal) => ({
          organization_id: ada.user.organizationId,
          file_id: fileId,
          reading: newId(),
          ordinal,
          n: 0,
          type,
          source_id: 'malware--1',
          target_id: 'vulnerability--1',
        })),
      )
      .execute(),
  );

const related = async (url: string) => (await ada.get(url)).json<RelatedRecords>();

describe('what reports relate a record to', () => {
  it('is given for a threat and for a vulnerability, with type and report', async () => {
    const relations = ['exploits', 'targets'].map((type) => ({ type, fileId, file: 'report.json' }));
    expect(await related(`/api/threats/${emotet}/related`)).toEqual({
      related: [{ _id: hole, name: 'CVE-1', score: 9.8, relations, relationTotal: 2 }],
      total: 1,
    });
    expect(await related(`/api/vulnerabilities/${hole}/related`)).toEqual({
      related: [{ _id: emotet, name: 'Emotet', score: 80, relations, relationTotal: 2 }],
      total: 1,
    });
  });

  it('is nothing when the report has been deleted', async () => {
    expect((await ada.delete(`/api/reports/files/${fileId}`)).statusCode).toBe(200);
    expect(await related(`/api/threats/${emotet}/related`)).toEqual({ related: [], total: 0 });
  });

  it('is not found in another organization', async () => {
    const stranger = await signUp(api);
    for (const url of [`/api/threats/${emotet}/related`, `/api/vulnerabilities/${hole}/related`])
      expect((await stranger.get(url)).statusCode).toBe(404);
  });

  it('is in the graph of both, as one edge from the threat with the types', async () => {
    for (const [url, id] of [
      [`/api/threats/${emotet}/graph`, emotet],
      [`/api/vulnerabilities/${hole}/graph`, hole],
    ] as const) {
      const { nodes, edges, more } = (await ada.get(url)).json<Graph>();
      expect(nodes.toSorted((one, other) => one.kind.localeCompare(other.kind))).toMatchObject([
        { _id: emotet, kind: 'threat', centre: emotet === id, score: 8 },
        { _id: hole, kind: 'vulnerability', centre: hole === id, score: 9.8 },
      ]);
      expect(edges).toEqual([{ source: emotet, target: hole, label: 'exploits, targets' }]);
      expect(more).toBe(false);
    }
  });

  it('is in the graph once when the two share an asset', async () => {
    const crane = await rows.asset('Crane');
    await ada.call({
      method: 'PUT',
      url: `/api/threats/${emotet}`,
      body: { relatedAssets: [crane] },
      headers: {},
    });
    await ada.call({
      method: 'PUT',
      url: `/api/vulnerabilities/${hole}`,
      body: { relatedAssets: [crane] },
      headers: {},
    });
    const { nodes, edges } = (await ada.get(`/api/threats/${emotet}/graph`)).json<Graph>();
    expect(nodes.map(({ name }) => name).toSorted()).toEqual(['CVE-1', 'Crane', 'Emotet']);
    expect(edges).toHaveLength(3);
  });

  it('is in a graph of at most 20,000 edges, in which every node is connected to the record', async () => {
    const crane = await rows.asset('Crane');
    await rows.inside(async (trx) => {
      await sql`
        insert into asset (organization_id, id, project_id, name, asset_type_id)
        select organization_id, uuidv7(), project_id, 'Host ' || n, 1 from asset, generate_series(1, 149) n
        where id = ${crane}`.execute(trx);
      await sql`
        insert into vulnerability (organization_id, id, name, cve_id)
        select current_organization(), uuidv7(), 'Flaw ' || n, '' from generate_series(1, 149) n`.execute(
        trx,
      );
      await sql`
        insert into vulnerability_asset (organization_id, vulnerability_id, asset_id)
        select a.organization_id, v.id, a.id from asset a, vulnerability v`.execute(trx);
    });

    const { nodes, edges, more } = (await ada.get(`/api/vulnerabilities/${hole}/graph`)).json<Graph>();
    expect([nodes.length, edges.length, more]).toEqual([301, 20_000, true]);
    expect(edges.filter(({ source }) => source === hole)).toHaveLength(150);
    const keys = edges.map(({ source, target }) => `${source} ${target}`);
    expect(new Set(keys).size).toBe(edges.length);
    const ends = new Set(edges.flatMap(({ source, target }) => [source, target]));
    expect(nodes.filter((node) => !ends.has(node._id))).toEqual([]);
  });
});
