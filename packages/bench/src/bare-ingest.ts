import type { JobKind, JobPayload } from '@riskboard/contract';
import { openDatabase, sessionLimits, withOrganization, type JobRow } from '@riskboard/db';
import { handlers } from '@riskboard/worker';

/** What the parent process sends: the share of an organization's files that this process reads and extracts. */
export interface BareWork {
  organizationId: string;
  part: number;
  parts: number;
  /** Files at once, as the concurrency of a worker. */
  concurrency: number;
}

type Context<K extends JobKind> = Parameters<(typeof handlers)[K]>[0];

/**
 * The floor of a batch: reads and extracts files that are stored, with the same code as the jobs, but without queue, job
 * rows, progress and events. One process; the parent sends work and receives the end of it.
 */
const database = openDatabase({
  url: process.env['DATABASE_URL'] ?? '',
  max: 12,
  limits: sessionLimits.worker,
});
const never = new AbortController().signal;

interface File {
  id: string;
  name: string;
  content_id: string;
}

function contextOf<K extends JobKind>(
  organizationId: string,
  { file, payload }: { file: File; payload: JobPayload<K> },
): Context<K> {
  const job = { organization_id: organizationId, file_id: file.id, file_name: file.name, created_by: null };
  return {
    deps: { database } as Context<K>['deps'],
    organizationId,
    job: job as JobRow,
    payload,
    signal: never,
    progress: () => undefined,
    stopProgress: async () => undefined,
    finish: async () => undefined,
  };
}

async function ingest(organizationId: string, file: File): Promise<void> {
  const parse = { fileId: file.id, contentId: file.content_id };
  await handlers['stix.parse'](contextOf<'stix.parse'>(organizationId, { file, payload: parse }));
  const extract = { fileId: file.id, kinds: ['vulnerabilities' as const, 'threats' as const] };
  await handlers['stix.extract'](contextOf<'stix.extract'>(organizationId, { file, payload: extract }));
}

async function run({ organizationId, part, parts, concurrency }: BareWork): Promise<void> {
  const files = await withOrganization(database, organizationId, (trx) =>
    trx.selectFrom('report_file').select(['id', 'name', 'content_id']).orderBy('id').execute(),
  );
  const mine = files.filter((_, n) => n % parts === part)[Symbol.iterator]();
  const lane = async (): Promise<void> => {
    for (const file of mine) await ingest(organizationId, file);
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
}

process.on('message', (work: BareWork) => {
  run(work).then(
    () => process.send?.({ done: true }),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.on('disconnect', () => process.exit(0));
process.send?.({ ready: true });
