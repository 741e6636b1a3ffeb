import { sql } from 'kysely';
import type { Person } from '../person.ts';
import { bundle } from '../report.ts';
import type { TestApi } from '../start-api.ts';
import { asWorker } from './as-worker.ts';

/** Counts of the result of a job. */
type Result = Record<string, number>;

/** Changes of a job, as the worker makes them. */
export const jobChanges = {
  start: sql`state = 'running', attempt = attempt + 1, tries = 1, started_at = now(), heartbeat_at = now(), waits_for = null`,
  succeed: (result: Result) =>
    sql`state = 'succeeded', finished_at = now(), result = ${JSON.stringify(result)}::jsonb`,
  fail: sql`state = 'failed', error_code = 'not_stix', error_message = 'Line 3 is not STIX.', finished_at = now()`,
};

/** Adds files to batches of a person's organization and runs their jobs, since api tests run no worker. */
export function batchJobs(api: TestApi, person: Pick<Person, 'user' | 'upload'>) {
  /** Uploads a report into a batch. @returns its id */
  async function add(batch: string, name: string, content = bundle(name)): Promise<string> {
    const answer = await person.upload({ name, content }, `?extract=threats&batch=${batch}`);
    return answer.json<{ _id: string }>()._id;
  }

  /** Changes the newest job of a kind of a report. */
  const job = (fileId: string, kind: 'parse' | 'extract', set: ReturnType<typeof sql>) =>
    asWorker(api, person).inside((trx) =>
      sql`update job set ${set}, version = version + 1 where id = (
        select id from job where file_id = ${fileId} and kind = ${`stix.${kind}`} order by id desc limit 1)`.execute(
        trx,
      ),
    );

  /** Reads and extracts a report. */
  async function read(fileId: string, parsed: Result = {}, extracted: Result = {}): Promise<void> {
    const { start, succeed } = jobChanges;
    await job(fileId, 'parse', start);
    await job(fileId, 'parse', succeed({ objects: 5, failed: 0, warnings: 0, ...parsed }));
    await job(fileId, 'extract', start);
    await job(fileId, 'extract', succeed({ created: 2, updated: 1, unchanged: 0, skipped: 0, ...extracted }));
  }

  /** Reading a report fails, and the extraction that waits for it. */
  async function failReading(fileId: string): Promise<void> {
    await job(fileId, 'parse', jobChanges.start);
    await job(fileId, 'parse', jobChanges.fail);
    await job(fileId, 'extract', jobChanges.fail);
  }

  return { add, job, read, failReading };
}
