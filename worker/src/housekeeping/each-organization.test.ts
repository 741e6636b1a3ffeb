import { lockAlerts, lockAssets, newId, openDatabase, sessionLimits, withOrganization } from '@riskboard/db';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Deps } from '../deps.ts';
import { alertHarness } from '../testing/alerts.ts';
import { openHarnessDatabase, type HarnessDatabase, type TestHarness } from '../testing/test-harness.ts';
import { requestEvaluations } from './alert-rounds.ts';
import { countEachOrganization, eachOrganization } from './each-organization.ts';
import { recordDailyScores } from './record-scores.ts';
import { runSteps } from './steps.ts';

let harnesses: HarnessDatabase;
let deps: Deps;
let warnings: Record<string, unknown>[];
beforeAll(async () => {
  harnesses = await openHarnessDatabase();
  // Locks time out at once.
  const limits = { ...sessionLimits.worker, lockMs: 100 };
  const database = openDatabase({ url: harnesses.test.url, limits });
  const log = pino({}, { write: (line: string) => void warnings.push(JSON.parse(line)) });
  deps = { ...(await harnesses.open()).deps, database, log };
});
beforeEach(() => {
  warnings = [];
});
afterAll(async () => {
  await deps.database.close();
  await harnesses.close();
});

const rows = ['a', 'b', 'c'].map((id) => ({ id }));

describe('a round over organizations', () => {
  it('logs one that fails with its id, and continues', async () => {
    const round = { rows, failure: 'not counted' };
    const counted = await countEachOrganization(deps, round, ({ id }) =>
      id === 'b' ? Promise.reject(new Error('Locked')) : Promise.resolve(1),
    );
    expect(counted).toBe(2);
    expect(warnings).toMatchObject([{ organizationId: 'b', msg: 'not counted' }]);
  });

  it('ends early, with what is done, when PostgreSQL does not answer', async () => {
    const visited: string[] = [];
    const done = await eachOrganization(deps, { rows, failure: 'not counted' }, async ({ id }) => {
      visited.push(id);
      if (id === 'b') throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
      return id;
    });
    expect([visited, done]).toEqual([['a', 'b'], ['a']]);
  });

  it('ends early, with what is done, when the worker stops', async () => {
    const stopping = new AbortController();
    const stopped = { ...deps, stopping: stopping.signal };
    const visited: string[] = [];
    const done = await eachOrganization(stopped, { rows, failure: 'not counted' }, async ({ id }) => {
      visited.push(id);
      if (id === 'b') stopping.abort();
      return id;
    });
    expect([visited, done]).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ]);
    const step = vi.fn<() => Promise<void>>();
    await runSteps(stopped, [['not done', step]]);
    expect(step).not.toHaveBeenCalled();
    expect(warnings).toEqual([]);
  });
});

describe('while the first of three organizations is locked', () => {
  let organizations: TestHarness[];
  beforeEach(async () => {
    organizations = [await harnesses.open(), await harnesses.open(), await harnesses.open()];
  });
  const others = () => organizations.slice(1).map(({ organizationId }) => organizationId);
  const whileLocked = <T>(lock: typeof lockAlerts, work: () => Promise<T>): Promise<T> =>
    organizations[0]!.inside(async (trx) => {
      await lock(trx);
      return work();
    });

  it('the rules of the others are evaluated', async () => {
    for (const each of organizations) {
      const { rule, vulnerabilities } = alertHarness(each);
      await rule({ kind: 'critical-vulnerability' });
      await vulnerabilities(9);
    }
    const among = organizations.map(({ organizationId }) => organizationId);
    const enqueued: string[] = [];
    const producer: Deps['producer'] = {
      ...deps.producer,
      enqueue: async (messages) => void enqueued.push(...messages.map((message) => message.organizationId)),
    };
    expect(await whileLocked(lockAlerts, () => requestEvaluations({ ...deps, producer }, among))).toBe(2);
    expect(enqueued).toEqual(others());
  });

  it('the daily scores of the others are recorded', async () => {
    for (const { organizationId, inside } of organizations)
      await inside(async (trx) => {
        const projectId = newId();
        await sql`
          insert into project (organization_id, id, name, start_date)
          values (${organizationId}, ${projectId}, 'p', now())`.execute(trx);
        await sql`
          insert into asset (organization_id, id, project_id, name, asset_type_id, criticality)
          values (${organizationId}, ${newId()}, ${projectId}, 'a', 1, 3)`.execute(trx);
      });
    await whileLocked(lockAssets, () => recordDailyScores(deps));
    const recorded: string[] = [];
    for (const { organizationId } of organizations) {
      const { rows: scores } = await withOrganization(deps.database, organizationId, (trx) =>
        sql`select from asset_score where cause = 'daily'`.execute(trx),
      );
      if (scores.length > 0) recorded.push(organizationId);
    }
    expect(recorded).toEqual(others());
  });
});
