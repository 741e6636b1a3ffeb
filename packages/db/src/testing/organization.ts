import { sql } from 'kysely';
import type { Database } from '../connection/client.ts';
import { newId } from '../new-id.ts';
import type { RecordTableName } from '../reports/assertions.ts';
import { withOrganization } from '../with-organization.ts';

/** An organization with nothing in it. */
export async function makeOrganization(database: Database): Promise<string> {
  const id = newId();
  await database.system
    .insertInto('organization')
    .values({ organization_id: id, name: 'of a test' })
    .execute();
  return id;
}

export interface FileRef {
  organizationId: string;
  fileId: string;
}

/** A report that asserts these keys, each already a record of the product. */
export async function makeFile(
  database: Database,
  organizationId: string,
  file: { name: string; keys?: string[]; table?: RecordTableName },
): Promise<FileRef> {
  const { name, keys = [], table = 'vulnerability' } = file;
  const fileId = newId();
  await withOrganization(database, organizationId, async (trx) => {
    const contentId = newId();
    const common = { organization_id: organizationId };
    await trx
      .insertInto('file_content')
      .values({ ...common, id: contentId, complete: true })
      .execute();
    const known = { media: 'json', size: 1, sha256: Buffer.alloc(32), parse_job_id: newId() } as const;
    await trx
      .insertInto('report_file')
      .values({
        ...common,
        id: fileId,
        name,
        content_id: contentId,
        uploaded_at: sql<Date>`clock_timestamp()`,
        ...known,
      })
      .execute();
    for (const [ordinal, key] of keys.entries()) {
      const { rows } = await sql<{ id: string }>`
        insert into ${sql.table(table)} (organization_id, id, key, name, source_file)
        values (${organizationId}, ${newId()}, ${key}, ${key}, ${name})
        on conflict (organization_id, key) do update set source_file = excluded.source_file
        returning id`.execute(trx);
      const link = { [`${table}_id`]: rows[0]?.id };
      const said = {
        type: table,
        state: 'active',
        location: `objects[${ordinal}]`,
        name: key,
        data: '{}',
      } as const;
      await trx
        .insertInto('report_record')
        .values({ ...common, file_id: fileId, id: newId(), kind: table, key, ordinal, ...said, ...link })
        .execute();
    }
  });
  return { organizationId, fileId };
}
