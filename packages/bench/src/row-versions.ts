import type { Client } from 'pg';

/** Tables with the content of reports and with records. The row of a file itself says when it was uploaded last. */
const tables = [
  'file_content',
  'file_chunk',
  'report_record',
  'report_object',
  'report_object_group',
  'report_relation',
  'vulnerability',
  'threat',
] as const;

/** Of each table a digest of all row versions: where each is, and which transaction wrote it. */
export async function rowVersions(admin: Client): Promise<Map<string, string>> {
  const versions = new Map<string, string>();
  for (const table of tables) {
    const { rows } = await admin.query<{ digest: string }>(
      `select count(*) || ' ' || coalesce(sum(hashtextextended(ctid::text || xmin::text, 0)::numeric), 0) as digest from ${table}`,
    );
    versions.set(table, rows[0]?.digest ?? '');
  }
  return versions;
}
