import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { asWorker } from './fakes/as-worker.ts';
import type { Person } from './person.ts';
import type { TestApi } from './start-api.ts';

/** Asserts that no partly received upload is left: every content has a file and every chunk a content. */
export async function assertNoOrphanedChunks(api: TestApi, person: Person): Promise<void> {
  const { rows } = await asWorker(api, person).inside((trx) =>
    sql<{ contents: number; files: number; orphans: number }>`
      select (select count(*)::int from file_content) as contents, (select count(*)::int from report_file) as files,
        (select count(*)::int from file_chunk k where not exists (
          select from report_file f where f.content_id = k.content_id)) as orphans`.execute(trx),
  );
  assert.equal(rows[0]?.contents, rows[0]?.files);
  assert.equal(rows[0]?.orphans, 0);
}
