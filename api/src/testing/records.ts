import { newId } from '@riskboard/db';
import { sql } from 'kysely';
import { asWorker } from './fakes/as-worker.ts';
import type { Person } from './person.ts';
import { bundle } from './report.ts';
import type { TestApi } from './start-api.ts';

type Columns = Record<string, unknown>;
type Table = 'vulnerability' | 'threat';

/** Inserts rows directly, without the checks of the api. */
export function rowMaker(api: TestApi, person: Person) {
  const { inside } = asWorker(api, person);
  const common = () => ({ organization_id: person.user.organizationId, id: newId() });

  async function make(table: Table | 'asset' | 'project', rows: Columns[]): Promise<string[]> {
    const full = rows.map((row) => ({ ...common(), ...row }));
    if (full.length > 0) {
      await inside((trx) =>
        trx
          .insertInto(table)
          .values(full as never)
          .execute(),
      );
    }
    return full.map((row) => String((row as Columns)['id']));
  }

  let project: string | undefined;
  /** An asset of its own, in a project that all of them share. */
  async function asset(name: string): Promise<string> {
    project ??= (await make('project', [{ name: 'Harbour', start_date: '2026-01-01' }]))[0];
    const [id = ''] = await make('asset', [{ name, project_id: project, asset_type_id: 1 }]);
    return id;
  }

  /** A report that has been read and extracted and says this of one record. @returns ids of the file and the record */
  async function imported(
    table: Table,
    { key, file = 'report.json', data = {}, columns = {} }: ImportedRecord,
  ): Promise<{ fileId: string; id: string }> {
    const worker = asWorker(api, person);
    const uploaded = await person.upload({ name: file, content: bundle(file) });
    const { _id: fileId } = uploaded.json<{ _id: string }>();
    await worker.read(fileId, { records: [{ key, kind: table }] });
    await worker.extract(fileId);
    const rows = await inside(async (trx) => {
      await sql`update report_record set data = ${JSON.stringify(data)} where file_id = ${fileId}`.execute(
        trx,
      );
      if (Object.keys(columns).length > 0)
        await trx
          .updateTable(table)
          .set(columns as never)
          .where('key', '=', key)
          .execute();
      return trx.selectFrom(table).select('id').where('key', '=', key).execute();
    });
    return { fileId, id: rows[0]?.id ?? '' };
  }

  return { inside, make, asset, imported };
}

interface ImportedRecord {
  key: string;
  file?: string;
  /** What the report says. */
  data?: object;
  /** What the extraction made of it. */
  columns?: Columns;
}
