import { setTimeout as sleep } from 'node:timers/promises';
import type { JobKind } from '@riskboard/contract';
import { newId, type RecordTableName, withOrganization } from '@riskboard/db';
import { sql } from 'kysely';
import type { Person } from '../person.ts';
import type { TestApi } from '../start-api.ts';

/** A record in a report, with its state. */
export interface ReportedRecord {
  key: string;
  kind?: RecordTableName;
  state?: 'active' | 'revoked' | 'deprecated';
}

/** An object that yields no record. */
export interface ReportedObject {
  type: string;
  outcome: 'unmapped' | 'failed' | 'superseded';
  reason: string;
}

/** How a job ends. */
interface EndedJob {
  state: 'succeeded' | 'failed' | 'cancelled';
  result?: object;
  error?: string;
}

interface ReportContent {
  records?: ReportedRecord[];
  objects?: ReportedObject[];
  stixVersion?: string | null;
}

/** Changes rows as the worker does, since api tests run no worker. */
export function asWorker(
  { database }: TestApi,
  { user: { organizationId } }: { user: Pick<Person['user'], 'organizationId'> },
) {
  const inside = <T>(work: Parameters<typeof withOrganization<T>>[2]) =>
    withOrganization(database, organizationId, work);

  /** Marks a report as parsed, with this content. */
  async function read(
    fileId: string,
    { records = [], objects = [], stixVersion = '2.1' }: ReportContent,
  ): Promise<void> {
    const active = (kind: RecordTableName) =>
      records.filter((record) => (record.kind ?? 'vulnerability') === kind && !record.state).length;
    const having = (state: ReportedRecord['state']) =>
      records.filter((record) => record.state === state).length;
    const ending = (outcome: ReportedObject['outcome']) =>
      objects.filter((object) => object.outcome === outcome).length;
    await inside(async (trx) => {
      const common = { organization_id: organizationId, file_id: fileId };
      for (const [ordinal, { key, kind = 'vulnerability', state = 'active' }] of records.entries()) {
        const location = `objects[${ordinal}]`;
        const described = { type: kind, location, name: key, data: '{}' };
        await trx
          .insertInto('report_record')
          .values({ ...common, ...described, id: newId(), kind, key, ordinal, state })
          .execute();
      }
      if (objects.length > 0)
        await trx
          .insertInto('report_object_group')
          .values({
            ...common,
            reading: newId(),
            first_ordinal: records.length,
            ordinals: objects.map((_, n) => records.length + n),
            outcomes: objects.map(({ outcome }) => outcome),
            types: objects.map(({ type }) => type),
            stix_ids: objects.map(() => null),
            locations: objects.map((_, n) => `objects[${records.length + n}]`),
            reasons: objects.map(({ reason }) => reason),
          })
          .execute();
      await trx
        .updateTable('report_file')
        .set({
          stix_version: stixVersion,
          wrapper: 'bundle',
          object_count: records.length + objects.length,
          mapped: records.length,
          unmapped: ending('unmapped'),
          failed: ending('failed'),
          superseded: ending('superseded'),
          revoked: having('revoked'),
          deprecated: having('deprecated'),
          vulnerability_records: active('vulnerability'),
          threat_records: active('threat'),
          objects: '{}',
          by_type: '[]',
        })
        .where('id', '=', fileId)
        .execute();
    });
    await endParse(fileId, 'succeeded');
  }

  /** Ends the parse, so that dependent jobs can start. */
  async function endParse(fileId: string, state: 'succeeded' | 'failed' | 'cancelled'): Promise<void> {
    const error = state === 'failed' ? { error_code: 'not_stix', error_message: 'Line 3 is not STIX.' } : {};
    await inside((trx) =>
      trx
        .updateTable('job')
        .set({ state, ...error, finished_at: sql<Date>`now()`, version: sql<number>`version + 1` })
        .where('id', '=', (eb) =>
          eb.selectFrom('report_file').select('parse_job_id').where('id', '=', fileId),
        )
        .execute(),
    );
  }

  /** Extracts every active record of the file: a new vulnerability or threat, or the existing one of its key. */
  async function extract(fileId: string): Promise<void> {
    await inside(async (trx) => {
      for (const table of ['vulnerability', 'threat'] as const) {
        await sql`
          insert into ${sql.table(table)} (organization_id, id, key, name, source_file)
          select r.organization_id, r.id, r.key, r.name, f.name from report_record r
          join report_file f on f.organization_id = r.organization_id and f.id = r.file_id
          where r.file_id = ${fileId} and r.kind = ${table} and r.state = 'active'
          on conflict (organization_id, key) do update set source_file = excluded.source_file`.execute(trx);
        await sql`
          update report_record r set ${sql.ref(`${table}_id`)} = v.id from ${sql.table(table)} v
          where r.file_id = ${fileId} and r.kind = ${table} and r.state = 'active' and v.key = r.key`.execute(
          trx,
        );
      }
    });
  }

  /** Ends the next queued job of a kind as soon as there is one. */
  async function endNext(kind: JobKind, ended: EndedJob): Promise<void> {
    const { state, result = null, error } = ended;
    const failure = state === 'failed' ? { error_code: 'x', error_message: error ?? null } : {};
    for (;;) {
      const { numUpdatedRows } = await inside((trx) =>
        trx
          .updateTable('job')
          .set({ state, result: result && JSON.stringify(result), ...failure, finished_at: sql<Date>`now()` })
          .where('kind', '=', kind)
          .where('state', '=', 'queued')
          .executeTakeFirstOrThrow(),
      );
      if (numUpdatedRows > 0n) return;
      await sleep(10);
    }
  }

  return { inside, read, endParse, extract, endNext };
}
