import type { ExtractKind } from '@riskboard/contract';
import type { JobRow } from '@riskboard/db';
import { checkImportReport } from '@riskboard/worker/testing/import-report';
import { orphans } from '@riskboard/worker/testing/snapshot';
import type { StoredReport } from '@riskboard/worker/testing/store-report';
import { openHarnessDatabase, type TestHarness } from '@riskboard/worker/testing/test-harness';
import { Client } from 'pg';
import { expect, vi } from 'vitest';
import { startWorkerProcess, type WorkerProcess } from './worker-process.ts';

/** One database, one organization, and worker processes to kill or disconnect. */
export interface FaultScenario {
  harness: TestHarness;
  start(concurrency?: number): Promise<WorkerProcess>;
  /** Stores reports with their extractions, which the workers' sweep then enqueues. */
  upload(contents: string[]): Promise<StoredReport[]>;
  /** Makes the jobs look as if their messages were lost long ago: the next sweep, within a second, enqueues them. */
  wake(): Promise<unknown>;
  /** Waits until a job row has the state. */
  reaches(jobId: string, state: JobRow['state']): Promise<void>;
  /** Waits until every job has succeeded, then checks the counts of every report and that no orphan rows remain. */
  allDone(reports: StoredReport[], timeoutMs?: number): Promise<void>;
  /** Runs a statement as the server's administrator. */
  administer(statement: string): Promise<void>;
  close(): Promise<void>;
}

const everyKind: ExtractKind[] = ['vulnerabilities', 'threats'];

export async function openFaultScenario(redisUrl: string | undefined): Promise<FaultScenario> {
  const harnesses = await openHarnessDatabase();
  const harness = await harnesses.open();
  const processes: WorkerProcess[] = [];
  return {
    harness,
    async start(concurrency = 1) {
      const worker = await startWorkerProcess({ databaseUrl: harnesses.test.url, redisUrl, concurrency });
      processes.push(worker);
      return worker;
    },
    async upload(contents) {
      const reports: StoredReport[] = [];
      for (const [index, content] of contents.entries())
        reports.push(await harness.store(`report-${index}.json`, content, everyKind));
      await wake(harness);
      return reports;
    },
    wake: () => wake(harness),
    reaches: (jobId, state) =>
      vi.waitFor(async () => expect((await harness.job(jobId)).state).toBe(state), { interval: 5 }),
    async allDone(reports, timeoutMs = 60_000) {
      await vi.waitFor(() => allSucceeded(harness, reports), { timeout: timeoutMs, interval: 100 });
      for (const { fileId } of reports) await checkImportReport(harness, fileId);
      expect(await orphans(harness)).toEqual([]);
    },
    async administer(statement) {
      const client = new Client({ connectionString: harnesses.test.adminUrl });
      await client.connect();
      try {
        await client.query(statement);
      } finally {
        await client.end();
      }
    },
    async close() {
      await Promise.all(processes.map((worker) => worker.kill()));
      await harnesses.close();
    },
  };
}

const wake = (harness: TestHarness) =>
  harness.inside((trx) =>
    trx
      .updateTable('job')
      .set({ rung_at: new Date(0) })
      .where('state', '=', 'queued')
      .execute(),
  );

async function allSucceeded(harness: TestHarness, reports: StoredReport[]): Promise<void> {
  const ids = reports.flatMap(({ parseJobId, extractJobId = '' }) => [parseJobId, extractJobId]);
  const unfinished = await harness.inside((trx) =>
    trx
      .selectFrom('job')
      .select(['kind', 'state', 'phase', 'attempt', 'tries', 'error_message'])
      .where('id', 'in', ids)
      .where('state', '<>', 'succeeded')
      .execute(),
  );
  expect(unfinished).toEqual([]);
}
