import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { objectsWithoutRecord, openDatabase, readContent } from '@riskboard/db';
import type { Client } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { Product } from './product.ts';

const ofFile = 'file_id = $file';
/** The tables that an ingest writes, with the rows of one file; the floor copies the same rows. */
const tables = {
  report_record: ofFile,
  report_object: ofFile,
  report_relation: ofFile,
  threat: 'id in (select threat_id from report_record where file_id = $file)',
  vulnerability: 'id in (select vulnerability_id from report_record where file_id = $file)',
} as const;

const parseOnce = `
  const text = require('node:fs').readFileSync(process.argv[1], 'utf8');
  const started = performance.now();
  JSON.parse(text);
  process.stdout.write(String(performance.now() - started));`;

/** Of objects without a record, one row each, although the product stores them in groups. */
const rowSources: Partial<Record<string, string>> = { report_object: `${objectsWithoutRecord} object` };

/**
 * Milliseconds of JSON.parse over the file's text, without reading the file, in a new process: a second parse of the
 * same text in one process is several times as fast as the first.
 */
export const parseFloor = (file: string): number =>
  Number(
    execFileSync(process.execPath, ['--input-type=commonjs', '-e', parseOnce, file], { encoding: 'utf8' }),
  );

/** Milliseconds of COPY of the rows of an ingested file into unlogged tables without indexes. */
export async function copyFloor(client: Client, fileId: string): Promise<{ ms: number; rows: number }> {
  let ms = 0;
  let rows = 0;
  for (const [table, condition] of Object.entries(tables)) {
    const columns = await client.query<{ list: string }>(
      `select string_agg(quote_ident(column_name), ', ') as list from information_schema.columns
       where table_name = $1 and is_generated = 'NEVER'`,
      [table],
    );
    const list = columns.rows[0]?.list ?? '';
    const where = condition.replace('$file', client.escapeLiteral(fileId));
    const data: Buffer[] = [];
    await pipeline(
      client.query(
        copyTo(`copy (select ${list} from ${rowSources[table] ?? table} where ${where}) to stdout`),
      ),
      async (source: AsyncIterable<Buffer>) => {
        for await (const part of source) data.push(part);
      },
    );
    await client.query(`create unlogged table floor_${table} (like ${table})`);
    const copy = client.query(copyFrom(`copy floor_${table} (${list}) from stdin`));
    const started = performance.now();
    await pipeline(Readable.from(data), copy);
    ms += performance.now() - started;
    rows += copy.rowCount;
    await client.query(`drop table floor_${table}`);
  }
  return { ms, rows };
}

/** Milliseconds of reading the stored bytes of a file and hashing them, in this process. */
export async function storedFloor({ admin, databaseUrl }: Product, fileId: string): Promise<number> {
  const { rows } = await admin.query<{ organizationId: string; contentId: string; size: string }>(
    `select organization_id as "organizationId", content_id as "contentId", size from report_file where id = $1`,
    [fileId],
  );
  const [file] = rows;
  if (!file) throw new Error(`No file ${fileId}`);
  const database = openDatabase({ url: databaseUrl });
  try {
    const started = performance.now();
    const hash = createHash('sha256');
    for await (const bytes of readContent(database, { ...file, size: Number(file.size) })) hash.update(bytes);
    hash.digest();
    return performance.now() - started;
  } finally {
    await database.close();
  }
}
