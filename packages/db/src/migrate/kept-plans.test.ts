import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openClone } from '../testing/open.ts';

let database: Awaited<ReturnType<typeof openClone>>;
beforeAll(async () => {
  database = await openClone();
});
afterAll(() => database.end());

// Decision 0036. A migration that replaces a function by a copy of an earlier version would lose it.
it.each([
  'count_related',
  'mark_cwss_of_criticality',
  'mark_cwss_of_related',
  'record_changed_scores',
  'record_overview_of_asset',
  'record_overview_of_threat',
  'record_overview_of_vulnerability',
])('the trigger function %s keeps its plan for statements of few rows', async (name) => {
  const { rows } = await sql<{ source: string }>`
    select prosrc as source from pg_proc where proname = ${name}`.execute(database.system);
  expect(rows).toHaveLength(1);
  expect(rows[0]?.source).toContain('few_rows()');
});
