import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { asWorker } from './as-worker.ts';
import type { Person } from './person.ts';
import type { TestApi } from './start-api.ts';

/** Nothing half-received is there: every content is a file's, and every chunk a content's. */
export async function assertNoStrays(api: TestApi, person: Person): Promise<void> {
  const { rows } = await asWorker(api, person).inside((trx) =>
    sql<{ contents: number; files: number; strays: number }>`
      select (select count(*)::int from file_content) as contents, (select count(*)::int from report_file) as files,
        (select count(*)::int from file_chunk k where not exists (
          select from report_file f where f.content_id = k.content_id)) as strays`.execute(trx),
  );
  assert.equal(rows[0]?.contents, rows[0]?.files);
  assert.equal(rows[0]?.strays, 0);
}
