import { execFileSync } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';

/** The tables that an ingest writes; the floor copies the same rows. */
const tables = ['report_record', 'report_object', 'report_relation', 'threat', 'vulnerability'] as const;

const parseOnce = `
  const text = require('node:fs').readFileSync(process.argv[1], 'utf8');
  const started = performance.now();
  JSON.parse(text);
  process.stdout.write(String(performance.now() - started));`;

/**
 * Milliseconds of JSON.parse over the file's text, without reading the file, in a new process: a second parse of the
 * same text in one process is several times as fast as the first.
 */
export const parseFloor = (file: string): number =>
  Number(
    execFileSync(process.execPath, ['--input-type=commonjs', '-e', parseOnce, file], { encoding: 'utf8' }),
  );

/** Milliseconds of COPY of the ingested rows into unlogged tables without indexes. */
export async function copyFloor(client: Client): Promise<{ ms: number; rows: number }> {
  let ms = 0;
  let rows = 0;
  for (const table of tables) {
    const columns = await client.query<{ list: string }>(
      `select string_agg(quote_ident(column_name), ', ') as list from information_schema.columns
       where table_name = $1 and is_generated = 'NEVER'`,
      [table],
    );
    const list = columns.rows[0]?.list ?? '';
    const data: Buffer[] = [];
    await pipeline(
      client.query(copyTo(`copy ${table} (${list}) to stdout`)),
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
