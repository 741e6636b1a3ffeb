import { sql } from 'kysely';
import type { Database } from '../connection/client.ts';
import type { JobRow } from './jobs.ts';

interface JobToStart {
  organizationId: string;
  id: string;
  kind: string;
  /** Regular expression of PostgreSQL for the payload, as `jsonb` writes it. */
  payloadPattern: string;
}

/** SQLSTATE lock_not_available: the file of a batch is locked by another of its jobs. */
const locked = '55P03';

/**
 * Starts a queued job that has not been tried: one call of a function that enters the organization by itself, instead of a
 * transaction of five statements. The commit is asynchronous: a crash of PostgreSQL may lose it, and the next run then has
 * the same attempt and another `run_id` (decision 0050). For workers, whose pool is not shared by requests.
 * @returns undefined when the job may not start in this way; nothing is changed then
 */
export async function startJob(database: Database, job: JobToStart): Promise<JobRow | undefined> {
  try {
    const { rows } = await sql<JobRow>`
      select (one.started_job).*, one.file_name
      from start_job(${job.organizationId}, ${job.id}, ${job.kind}, ${job.payloadPattern}) as one`.execute(
      database.app,
    );
    return rows[0];
  } catch (error) {
    if ((error as { code?: unknown }).code === locked) return undefined;
    throw error;
  }
}
