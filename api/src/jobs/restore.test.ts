import type { Restored } from '@riskboard/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bySession, makeMember } from '../testing/accounts/member.ts';
import { asWorker } from '../testing/fakes/as-worker.ts';
import { type Person, signUp } from '../testing/person.ts';
import { rowMaker } from '../testing/records.ts';
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

const inside: ReturnType<typeof asWorker>['inside'] = (work) => asWorker(api, ada).inside(work);

/** A job that has deleted this many threats. */
async function deletion(count = 3): Promise<string> {
  const rows = Array.from({ length: 501 }, (_, n) => ({ name: `T ${n}` }));
  const ids = await rowMaker(api, ada).make('threat', rows);
  const { jobId } = (await ada.delete('/api/threats/bulk', { filter: {} })).json<{ jobId: string }>();
  await ada.delete('/api/threats/bulk', { ids: ids.slice(0, count) });
  await inside((trx) =>
    sql`update job set state = 'succeeded', finished_at = now(), result = jsonb_build_object(
        'matched', ${count}::int, 'changed', ${count}::int, 'unchanged', 0, 'restorable', 'threats',
        'deletedAt', (select max(deleted_at) from deleted_record))
      where id = ${jobId}`.execute(trx),
  );
  return jobId;
}

const restore = (jobId: string) => ada.post(`/api/jobs/${jobId}/restore`);

describe('restoring what a job deleted', () => {
  it('is a job, the same one for each request until it has ended', async () => {
    const jobId = await deletion();
    const answer = await restore(jobId);
    expect(answer.statusCode).toBe(202);
    const accepted = answer.json<{ jobId: string }>();
    expect(accepted).toEqual({
      jobId: expect.any(String),
      message: 'Restoring the threats in the background.',
    });
    expect((await restore(jobId)).json<{ jobId: string }>().jobId).toBe(accepted.jobId);
    const { rows } = await inside((trx) =>
      sql`select kind, payload, created_by from job where id = ${accepted.jobId}`.execute(trx),
    );
    const payload = { noun: 'threats', deletionId: jobId };
    expect(rows).toEqual([{ kind: 'records.restore', payload, created_by: ada.user._id }]);
  });

  it('is no job when none of the rows is in the trash', async () => {
    const jobId = await deletion();
    await inside((trx) => sql`delete from deleted_record`.execute(trx));
    const answer = await restore(jobId);
    expect(answer.statusCode).toBe(200);
    expect(answer.json<typeof Restored>()).toEqual({
      success: true,
      restoredCount: 0,
      message: 'They were restored before, or deleted more than 30 days ago.',
    });
  });

  it.each([
    [{ kind: 'records.update' }, 'Only jobs that delete records can be undone.'],
    [{ state: 'cancelled' }, 'This job has deleted nothing, so there is nothing to restore.'],
    [{ payload: '{"noun": "reports"}' }, 'Deleted reports cannot be restored.'],
  ])('is refused for a job with %j', async (change, message) => {
    const jobId = await deletion(1);
    await inside((trx) =>
      trx
        .updateTable('job')
        .set(change as never)
        .where('id', '=', jobId)
        .execute(),
    );
    const answer = await restore(jobId);
    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toMatchObject({ message });
  });

  it('is refused to viewers and other organizations', async () => {
    const jobId = await deletion(1);
    const viewer = await bySession(api, await makeMember(api, ada.user.organizationId, 'viewer'));
    const url = `/api/jobs/${jobId}/restore`;
    expect((await api.app.inject({ method: 'POST', url, ...viewer })).statusCode).toBe(403);
    expect((await (await signUp(api)).post(url)).statusCode).toBe(404);
  });
});
