import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { insertJob } from '@riskboard/db';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { cwssHarness } from '../../testing/cwss.ts';
import { type HarnessDatabase, openHarnessDatabase, type TestHarness } from '../../testing/test-harness.ts';

type Answer = (response: ServerResponse) => void;

let answers: Map<string, Answer>;
let requested: string[];
const mitre = createServer(({ url = '' }, response) => {
  requested.push(url);
  const answer = answers.get(url);
  if (answer) answer(response);
  else response.writeHead(404).end('{}');
});

let harnesses: HarnessDatabase;
beforeAll(async () => {
  harnesses = await openHarnessDatabase();
  await new Promise<void>((resolve) => {
    mitre.listen(0, '127.0.0.1', resolve);
  });
});
afterAll(async () => {
  mitre.close();
  mitre.closeAllConnections();
  await harnesses.close();
});

const json =
  (body: unknown): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
const text =
  (body: string, status = 200): Answer =>
  (response) => {
    response.writeHead(status).end(body);
  };

const weakness = (id: string, impact: string) => ({
  ID: id,
  Name: `Weakness ${id} of a test`,
  Abstraction: 'Base',
  Structure: 'Simple',
  Status: 'Draft',
  Description: 'The product accepts more than it was tested for.',
  CommonConsequences: [{ Scope: ['Confidentiality'], Impact: [impact] }],
});

/** Lets the server answer with a catalogue of this version. */
function publish(version: string): void {
  answers = new Map([
    ['/cwe/version', json({ ContentVersion: version, ContentDate: '2031-05-01' })],
    ['/cwe/weakness/all', json({ Weaknesses: [weakness('79', 'Read Application Data')] })],
    [
      '/cwe/category/all',
      json({
        Categories: [{ ID: '1345', Name: 'Category of a test', Status: 'Draft', Summary: 'Injection.' }],
      }),
    ],
    [
      '/cwe/view/all',
      json({ Views: [{ ID: '1000', Name: 'View of a test', Status: 'Draft', Objective: 'All.' }] }),
    ],
  ]);
  requested = [];
}

beforeEach(() => publish('99.1'));

async function open(): Promise<TestHarness> {
  const harness = await harnesses.open();
  harness.deps.cweApiUrl = `http://127.0.0.1:${(mitre.address() as AddressInfo).port}`;
  return harness;
}

/** Requests a refresh and runs it. @returns the job as it ended */
async function refresh(harness: TestHarness) {
  const { organizationId } = harness;
  const id = await harness.inside((trx) =>
    insertJob(trx, { kind: 'cwe.refresh', payload: {}, organizationId }),
  );
  await harness.run(id);
  return harness.job(id);
}

const used = async ({ inside }: TestHarness): Promise<string | null> => {
  const { id } = await inside((trx) =>
    trx.selectFrom('organization').select('cwe_catalogue_id as id').executeTakeFirstOrThrow(),
  );
  return id;
};

const sharedVersions = async (): Promise<string[]> => {
  const rows = await harnesses.database.system
    .selectFrom('cwe_catalogue')
    .select('version')
    .where('origin', '=', 'api')
    .orderBy('version')
    .execute();
  return rows.map(({ version }) => version);
};

describe('a job that refreshes the weakness catalogue', () => {
  it('stores a newer version once, uses it in its organization only, and marks the scores there as stale', async () => {
    const [one, other] = [await open(), await open()];
    for (const harness of [one, other]) {
      const cwss = cwssHarness(harness);
      const vignetteId = await cwss.vignette('Web shop', 7);
      await cwss.vulnerabilities(1);
      await harness.run(await cwss.request({ vignetteId, filter: {} }));
    }
    const before = await used(other);

    publish('99.2');
    const job = await refresh(one);
    expect(job).toMatchObject({ state: 'succeeded', result: { version: '99.2', entries: 3 } });
    expect(await cwssHarness(one).rows()).toMatchObject([{ cwss_stale: ['catalogue'] }]);
    expect(await cwssHarness(other).rows()).toMatchObject([{ cwss_stale: [] }]);
    expect(await used(other)).toBe(before);
    expect(one.recorded.events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['catalogue.changed', 'vulnerability.changed']),
    );
    const entries = await one.inside((trx) =>
      trx
        .selectFrom('activity')
        .select(['name', 'detail'])
        .where('action', '=', 'catalogue.refreshed')
        .execute(),
    );
    expect(entries).toMatchObject([{ name: 'CWE 99.2', detail: { version: '99.2' } }]);

    // The other organization finds the stored version: only the version is requested.
    requested = [];
    expect(await refresh(other)).toMatchObject({ state: 'succeeded', result: { version: '99.2' } });
    expect(requested).toEqual(['/cwe/version']);
    expect(await used(other)).toBe(await used(one));
    expect((await sharedVersions()).filter((version) => version === '99.2')).toHaveLength(1);
  });

  it('changes nothing when the newest version is in use', async () => {
    const harness = await open();
    await refresh(harness);
    const before = await used(harness);
    harness.recorded.events.length = 0;
    expect(await refresh(harness)).toMatchObject({
      state: 'succeeded',
      result: { version: '99.1', previousVersion: '99.1', entries: 0 },
    });
    expect(await used(harness)).toBe(before);
    expect(harness.recorded.events.filter(({ type }) => type !== 'job.updated')).toEqual([]);
  });

  it('stores one shared version when two organizations refresh at once', async () => {
    const both = [await open(), await open()];
    publish('99.3');
    const jobs = await Promise.all(both.map(refresh));
    expect(jobs).toMatchObject([{ state: 'succeeded' }, { state: 'succeeded' }]);
    expect((await sharedVersions()).filter((version) => version === '99.3')).toHaveLength(1);
    const [one, other] = await Promise.all(both.map(used));
    expect(one).toBe(other);
  });

  it.each([
    ['answers with status 500', '/cwe/version', text('busy', 500), 'mitre_unusable'],
    ['answers with text that is not JSON', '/cwe/version', text('<html>'), 'mitre_unusable'],
    ['answers without a version', '/cwe/version', json({ Version: '1' }), 'mitre_unusable'],
    ['has no weakness', '/cwe/weakness/all', json({ Weaknesses: [] }), 'mitre_unusable'],
    [
      'has a weakness of another shape',
      '/cwe/weakness/all',
      json({ Weaknesses: [{ ID: 'x' }] }),
      'mitre_unusable',
    ],
    ['sends too much', '/cwe/version', text(' '.repeat(70_000)), 'mitre_unusable'],
    [
      'ends the connection in the middle',
      '/cwe/weakness/all',
      (response: ServerResponse) => {
        response.writeHead(200, { 'content-length': '1000' }).write('{"Weak');
        response.destroy();
      },
      'mitre_unreachable',
    ],
    [
      'redirects to another server',
      '/cwe/version',
      (response: ServerResponse) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
      'mitre_unreachable',
    ],
  ])('fails with a reason and keeps the catalogue when the server %s', async (_what, path, answer, code) => {
    const harness = await open();
    publish('99.9');
    answers.set(path, answer);
    const before = await used(harness);
    const job = await refresh(harness);
    expect(job).toMatchObject({ state: 'failed', error_code: code });
    expect(job.error_message).toContain('The catalogue is unchanged.');
    expect(await used(harness)).toBe(before);
    expect(await sharedVersions()).not.toContain('99.9');
  });

  it('fails with a reason when the server does not answer in time', async () => {
    const harness = await open();
    let answered = false;
    answers.set('/cwe/version', () => void (answered = true));
    const limit = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
      const controller = new AbortController();
      void vi.waitUntil(() => answered).then(() => controller.abort(new Error('Too late')));
      return controller.signal;
    });
    try {
      expect(await refresh(harness)).toMatchObject({ state: 'failed', error_code: 'mitre_unreachable' });
      expect(limit).toHaveBeenCalledWith(15_000);
    } finally {
      limit.mockRestore();
    }
    expect(await used(harness)).toBeNull();
  });

  it('fails with a reason when the server refuses the connection', async () => {
    const harness = await open();
    const closed = createServer();
    await new Promise<void>((resolve) => {
      closed.listen(0, '127.0.0.1', resolve);
    });
    harness.deps.cweApiUrl = `http://127.0.0.1:${(closed.address() as AddressInfo).port}`;
    await new Promise((resolve) => {
      closed.close(resolve);
    });
    const job = await refresh(harness);
    expect(job).toMatchObject({ state: 'failed', error_code: 'mitre_unreachable' });
    expect(job.error_message).toContain('The catalogue is unchanged.');
  });

  it('fails with a reason when requests are switched off', async () => {
    const harness = await harnesses.open();
    expect(await refresh(harness)).toMatchObject({ state: 'failed', error_code: 'mitre_off' });
  });
});
