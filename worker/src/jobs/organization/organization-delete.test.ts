import { sessionEndedTopic } from '@riskboard/contract';
import { cancelJobs, insertJob } from '@riskboard/db';
import { RetryLater } from '@riskboard/queue';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { everyRow, seed, type Seeded } from '../../testing/seed.ts';
import {
  crashPoint,
  stopBeforeCommit,
  stopAtStart,
  lockWaits,
  takeOver,
} from '../../testing/crash-points.ts';
import { bundle, manyVulnerabilities, object, threat, vulnerability } from '../../testing/stix2.ts';
import {
  makeDue,
  openHarnessDatabase,
  type TestHarness,
  type HarnessDatabase,
} from '../../testing/test-harness.ts';
import type { JobContext, JobHandlers } from '../run/context.ts';
import { handlers } from '../handlers.ts';
import { runJob } from '../run/run-job.ts';

let harnesses: HarnessDatabase;
let admin: Client;
let harness: TestHarness;
let other: TestHarness;
let members: Seeded;
let others: Seeded;
beforeAll(async () => {
  harnesses = await openHarnessDatabase();
  admin = new Client({ connectionString: harnesses.test.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await harnesses.close();
});
beforeEach(async () => {
  [harness, other] = [await harnesses.open(), await harnesses.open()];
  others = await seed(other, admin);
  members = await seed(harness, admin, others.guestId);
});

type Context = JobContext<'organization.delete'>;

/** The real handlers, with parts of the context of the deletion replaced. */
const withContext = (change: (context: Context) => Partial<Context>): JobHandlers => ({
  ...handlers,
  'organization.delete': (context) => handlers['organization.delete']({ ...context, ...change(context) }),
});

/** Requests the deletion as the api does. @returns the job's id */
const requestDeletion = (): Promise<string> =>
  harness.inside(async (trx) => {
    await trx
      .updateTable('organization')
      .set({ deleting_at: sql<Date>`now()` })
      .execute();
    const { organizationId } = harness;
    return insertJob(trx, { kind: 'organization.delete', payload: {}, organizationId });
  });

/** Delivers the queue message of a job that may no longer exist; a retry that waits for its time is due. */
async function run(
  id: string,
  how: { handlers?: JobHandlers; shutdown?: AbortSignal; deps?: TestHarness['deps'] } = {},
) {
  await makeDue(harness.database, id);
  const message = { id, kind: 'organization.delete', organizationId: harness.organizationId } as const;
  const shutdown = how.shutdown ?? new AbortController().signal;
  return runJob(how.deps ?? harness.deps, { handlers: how.handlers ?? handlers, message, shutdown });
}

const left = async (): Promise<string[]> =>
  Object.entries(await everyRow(admin, harness.organizationId))
    .filter(([, rows]) => rows.length > 0)
    .map(([table]) => table);

const accountsLeft = async (): Promise<string[]> => {
  const { rows } = await admin.query<{ id: string }>('select id from account where id = any($1)', [
    [members.ownerId, members.guestId, others.ownerId],
  ]);
  return rows.map((row) => row.id).toSorted();
};

/** The tables with rows of the organization, and the accounts that still exist. */
const remains = async () => ({ tables: await left(), accounts: await accountsLeft() });
/** No table, and only the accounts of members of another organization. */
const onlyOthers = () => ({ tables: [], accounts: [members.guestId, others.ownerId].toSorted() });

describe('the deletion of an organization', () => {
  it('deletes every row of it and no row of another', async () => {
    const id = await requestDeletion();
    const before = await everyRow(admin, harness.organizationId);
    expect(Object.entries(before).filter(([, rows]) => rows.length === 0)).toEqual([]);
    expect(Object.keys(before).length).toBeGreaterThanOrEqual(16);
    const theirs = await everyRow(admin, other.organizationId);
    await run(id);
    expect(await remains()).toEqual(onlyOthers());
    expect(await everyRow(admin, other.organizationId)).toEqual(theirs);
  });

  it('deletes the rows of deleted accounts and of no other account', async () => {
    await run(await requestDeletion());
    for (const table of ['recovery_code', 'password_reset', 'email_change']) {
      const { rows } = await admin.query<{ account_id: string }>(
        `select account_id from ${table} where account_id = any($1)`,
        [[members.ownerId, members.guestId, others.ownerId]],
      );
      expect(rows.map((row) => row.account_id).toSorted()).toEqual(
        [members.guestId, others.ownerId].toSorted(),
      );
    }
  });

  it('publishes the end of exactly its active sessions', async () => {
    await run(await requestDeletion());
    const ended = harness.recorded.topics.filter((topic) => topic.startsWith('session.'));
    expect(ended.toSorted()).toEqual(members.sessionIds.map(sessionEndedTopic).toSorted());
  });

  it('a second message of the deleted job changes and publishes nothing', async () => {
    const id = await requestDeletion();
    await run(id);
    const theirs = await everyRow(admin, other.organizationId);
    const published = harness.recorded.topics.length;
    await run(id);
    expect(await remains()).toEqual(onlyOthers());
    expect(await everyRow(admin, other.organizationId)).toEqual(theirs);
    expect(harness.recorded.topics).toHaveLength(published);
  });

  it('includes rows that are added while it runs', async () => {
    let came = 0;
    const relay: TestHarness['deps']['relay'] = {
      ...harness.deps.relay,
      async publish(topic, message) {
        if (topic.startsWith('session.')) {
          came += 1;
          await harness.store(`late-${came}.json`, bundle([object('x-unknown')]));
        }
        await harness.deps.relay.publish(topic, message);
      },
    };
    await run(await requestDeletion(), { deps: { ...harness.deps, relay } });
    expect(came).toBe(2);
    expect(await remains()).toEqual(onlyOthers());
  });

  it('includes a new table without foreign keys, also rows that are added while it runs', async () => {
    await admin.query('create table new_table (organization_id uuid not null, id uuid primary key)');
    await admin.query(`call protect_organization_table('new_table')`);
    await admin.query('grant select, insert, delete on new_table to riskboard_app');
    const add = (organizationId: string) =>
      admin.query('insert into new_table select $1, gen_random_uuid() from generate_series(1, 3)', [
        organizationId,
      ]);
    try {
      for (const { organizationId } of [harness, other]) await add(organizationId);
      const relay: TestHarness['deps']['relay'] = {
        ...harness.deps.relay,
        async publish(topic) {
          if (topic.startsWith('session.')) await add(harness.organizationId);
        },
      };
      await run(await requestDeletion(), { deps: { ...harness.deps, relay } });
      expect(await remains()).toEqual(onlyOthers());
      expect((await everyRow(admin, other.organizationId))['new_table']).toHaveLength(3);
    } finally {
      await admin.query('drop table new_table');
    }
  });

  it('waits for a job that is about to commit, whose results are discarded', async () => {
    const { fileId } = await harness.read('busy.json', bundle([vulnerability(), threat()]));
    const { organizationId } = harness;
    const payload = { fileId, kinds: ['vulnerabilities' as const, 'threats' as const] };
    const extraction = await harness.inside((trx) =>
      insertJob(trx, { kind: 'stix.extract', payload, organizationId, fileId }),
    );
    const held = crashPoint();
    const busy = harness.run(extraction, { handlers: stopBeforeCommit(held) });
    await held.reached;
    await harness.inside((trx) => cancelJobs(trx, { all: true }));
    const deletion = run(await requestDeletion());
    await lockWaits(harness.database);
    held.open();
    await Promise.all([busy, deletion]);
    expect(await remains()).toEqual(onlyOthers());
  });

  it('succeeds when the relay is unreachable', async () => {
    const relay: TestHarness['deps']['relay'] = {
      ...harness.deps.relay,
      publish: () => Promise.reject(new Error('no relay')),
    };
    await run(await requestDeletion(), { deps: { ...harness.deps, relay } });
    expect(await remains()).toEqual(onlyOthers());
  });
});

describe('the deletion of many rows', () => {
  it('runs in batches, with progress that never decreases and ends at its total', async () => {
    await harness.read('many.json', bundle(manyVulnerabilities(4500)));
    const seen: { done: number; total: number }[] = [];
    const watched = withContext(() => ({ progress: ({ done, total }) => void seen.push({ done, total }) }));
    await run(await requestDeletion(), { handlers: watched });
    expect(await remains()).toEqual(onlyOthers());
    const steps = seen.map(({ done }, n) => done - (seen[n - 1]?.done ?? 0));
    expect(Math.max(...steps)).toBe(2000);
    expect(Math.min(...steps)).toBeGreaterThanOrEqual(0);
    expect(seen.at(-1)).toEqual({ done: seen[0]?.total, total: seen[0]?.total });
    expect(seen[0]?.total).toBeGreaterThan(4500);
  });
});

describe('an interrupted deletion', () => {
  it(
    'is continued by the next run, after any batch, until nothing is left',
    { timeout: 60_000 },
    async () => {
      const theirs = await everyRow(admin, other.organizationId);
      const id = await requestDeletion();
      let kills = 0;
      for (let batches = 1; (await left()).includes('job'); batches += 1) {
        const closing = new AbortController();
        let seen = 0;
        const killed = withContext(({ progress }) => ({
          progress(is) {
            progress(is);
            seen += 1;
            if (seen === batches) closing.abort(new Error('The worker closes'));
          },
        }));
        const ended = run(id, { handlers: killed, shutdown: closing.signal });
        if (
          await ended.then(
            () => false,
            () => true,
          )
        ) {
          kills += 1;
          expect(await harness.job(id)).toMatchObject({ state: 'queued', tries: 0, attempt: kills });
        }
      }
      expect(kills).toBeGreaterThan(5);
      expect(await remains()).toEqual(onlyOthers());
      expect(await everyRow(admin, other.organizationId)).toEqual(theirs);
    },
  );

  it('is continued after the members were deleted and before the organization is', async () => {
    const id = await requestDeletion();
    const dying = withContext(() => ({ finish: () => Promise.reject(new Error('Out of power')) }));
    await expect(run(id, { handlers: dying })).rejects.toThrow(RetryLater);
    expect(await left()).toEqual([
      'activity',
      'cwe_catalogue',
      'cwe_entry',
      'job',
      'organization',
      'outgoing_mail',
      'removed_session',
    ]);
    await run(id);
    expect(await remains()).toEqual(onlyOthers());
  });

  it.each([
    ['its start', stopAtStart],
    ['its commit', stopBeforeCommit],
  ])('changes nothing when it was frozen before %s and taken over', async (_where, stopAt) => {
    const id = await requestDeletion();
    const held = crashPoint();
    const frozen = run(id, { handlers: stopAt(held) });
    await held.reached;
    // Before its commit the frozen run holds the organization's lock: the takeover ends its session.
    await takeOver(harness, id, () => run(id));
    held.open();
    await frozen;
    expect(await remains()).toEqual(onlyOthers());
  });
});

describe('safety', () => {
  it('an organization whose deletion was not requested keeps all its rows', async () => {
    const { organizationId } = harness;
    const id = await harness.inside((trx) =>
      insertJob(trx, { kind: 'organization.delete', payload: {}, organizationId }),
    );
    const { job: _jobs, ...before } = await everyRow(admin, organizationId);
    await run(id);
    const { job: _after, ...after } = await everyRow(admin, organizationId);
    expect(after).toEqual(before);
    expect(await harness.job(id)).toMatchObject({ state: 'failed', error_code: 'not_requested' });
  });

  it('a message with the id of another organization starts no run', async () => {
    const id = await requestDeletion();
    const message = { id, kind: 'organization.delete', organizationId: other.organizationId } as const;
    const theirs = await everyRow(admin, other.organizationId);
    await runJob(harness.deps, { handlers, message, shutdown: new AbortController().signal });
    expect(await everyRow(admin, other.organizationId)).toEqual(theirs);
    expect(await harness.job(id)).toMatchObject({ state: 'queued', attempt: 0 });
  });
});
