import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { newId } from '@riskboard/db';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { ReportSink } from '../stix/report-sink.ts';

/**
 * Everything that a read says, one row each, before it is decided what of it counts. COPY does not work under
 * row-level security, so it goes to a table of the transaction's own.
 */
export const stagedTable = `
  create temporary table staged (
    ordinal integer not null,
    n integer not null,
    outcome text collate "C" not null,
    id uuid,
    kind text collate "C",
    key text collate "C",
    type text collate "C" not null,
    stix_id text collate "C",
    stix_version text,
    modified timestamptz,
    place text collate "C" not null,
    name text,
    data jsonb,
    reason text
  ) on commit drop`;

const columns =
  'ordinal, n, outcome, id, kind, key, type, stix_id, stix_version, modified, place, name, data, reason';

type Cell = string | number | null;

/** Lines wait until there are this many characters, then go out as one write. */
const batchLength = 256 * 1024;

const special = /[\\\n\r\t]/u;
const escapes: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A value in COPY's text format (PostgreSQL manual, COPY, Text Format). */
function cell(value: Cell): string {
  if (value === null) return '\\N';
  const text = String(value);
  return special.test(text) ? text.replaceAll(/[\\\n\r\t]/gu, (c) => escapes[c] ?? c) : text;
}

/** A row of an index holds 2,704 bytes (PostgreSQL, B-tree), and a UTF-16 unit takes up to three of them. */
const longestIndexed = 500;

/** A key stays one key when it is too long to be looked up by itself. */
const boundedKey = (key: string): string =>
  key.length <= longestIndexed ? key : `sha256:${createHash('sha256').update(key).digest('hex')}`;

const boundedName = (name: string): string =>
  name.length <= longestIndexed ? name : `${name.slice(0, longestIndexed - 1).toWellFormed()}…`;

/**
 * The four CVSS fields belong together: merging two objects must not pair one's score with the other's vector,
 * so they travel as one.
 */
function foldCvss(data: object): object {
  if (!('cvssScore' in data || 'cvssVector' in data)) return data;
  const { cvssScore, cvssVector, cvssVersion, cvssSource, ...rest } = data as Record<string, unknown>;
  return {
    ...rest,
    base: { score: cvssScore, vector: cvssVector, version: cvssVersion, source: cvssSource },
  };
}

/**
 * Lets `fill` copy into the staging table of this connection's transaction.
 * @throws what `fill` throws; the connection then takes statements again
 */
export async function stage<T>(
  connection: pg.PoolClient,
  fill: (sink: ReportSink) => Promise<T>,
): Promise<T> {
  await connection.query(stagedTable);
  const copy = connection.query(copyFrom(`copy staged (${columns}) from stdin`));
  let failure: Error | undefined;
  copy.on('error', (error: Error) => {
    failure = error;
  });
  const rows = rowWriter(async (text) => {
    if (!failure && !copy.write(text)) await once(copy, 'drain');
    if (failure) throw failure;
  });
  try {
    const filled = await fill(rows.sink);
    await rows.send();
    const finished = once(copy, 'finish');
    copy.end();
    await finished;
    return filled;
  } catch (error) {
    // Until the COPY has ended, the connection would hear no ROLLBACK.
    if (!failure) await new Promise((resolve) => copy.once('close', resolve).destroy());
    throw error;
  }
}

/** Turns what a read says into lines of COPY's text format. */
function rowWriter(write: (text: string) => Promise<void>): { sink: ReportSink; send(): Promise<void> } {
  let lines: string[] = [];
  let length = 0;
  let n = 0;

  function add(cells: Cell[]): void {
    const line = `${cells.map(cell).join('\t')}\n`;
    lines.push(line);
    length += line.length;
  }

  async function send(): Promise<void> {
    if (lines.length === 0) return;
    const batch = lines.join('');
    lines = [];
    length = 0;
    await write(batch);
  }

  const sink: ReportSink = {
    object(o) {
      if (o.outcome === 'mapped') return;
      add([
        o.ordinal,
        0,
        o.outcome,
        null,
        null,
        null,
        o.type,
        o.stixId,
        null,
        null,
        o.place,
        null,
        null,
        o.reason,
      ]);
    },
    record(r) {
      n += 1;
      const data = JSON.stringify(foldCvss(r.data));
      add([
        r.ordinal,
        n,
        'record',
        newId(),
        r.kind,
        boundedKey(r.key),
        r.type,
        r.stixId,
        r.stixVersion,
        r.modified,
        r.place,
        boundedName(r.name),
        data,
        r.state,
      ]);
    },
    relation(r) {
      n += 1;
      add([
        r.ordinal,
        n,
        'relation',
        null,
        null,
        r.targetId,
        r.type,
        r.sourceId,
        null,
        null,
        '',
        null,
        null,
        null,
      ]);
    },
    async flush() {
      if (length >= batchLength) await send();
    },
  };
  return { sink, send };
}
