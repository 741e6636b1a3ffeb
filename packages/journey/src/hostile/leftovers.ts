import { Client } from 'pg';

/**
 * What refused and failed inputs left behind in the database. Each count is 0 when nothing half-done is stored.
 */
export async function leftovers(adminUrl: string): Promise<Record<string, number>> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, number>>(`
      select
        (select count(*)::int from file_content c
          where not exists (select from report_file f where f.content_id = c.id)
            and not exists (select from csv_import i where i.content_id = c.id)) as "contents without a file",
        (select count(*)::int from file_chunk k
          where not exists (select from file_content c where c.id = k.content_id)) as "chunks without a content",
        (select count(*)::int from job where kind like 'stix.%' and state in ('queued', 'running')) as "jobs that have not ended"`);
    return rows[0] ?? {};
  } finally {
    await client.end();
  }
}
