import { createHash } from 'node:crypto';
import { finished } from 'node:stream/promises';
import { newId } from '@riskboard/db';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { ReportObject, ReportRecord, ReportRelation } from '../../stix/report-sink.ts';
import { ColumnArrays } from './column-arrays.ts';
import { copyCell } from './text-format.ts';
import { stagedName } from './staged-table.ts';
import { Utf8Text } from './utf8-text.ts';

/** One parse of a file. */
export interface Reading {
  fileId: string;
  /** Unique to this run. */
  id: string;
  /** Bytes of the report. */
  size: number;
}

const copyRecords = `copy ${stagedName} (ordinal, n, id, kind, key, type, stix_id, stix_version, object_type, object_id, modified, location, name, data, length, state) from stdin`;

const insertObjects = `
  insert into report_object_group (organization_id, file_id, reading, first_ordinal, ordinals, outcomes, types, stix_ids, locations, reasons)
  values (current_organization(), $1, $2, ($3::int[])[1], $3, $4, $5, $6, $7, $8)`;

const insertRelations = `
  insert into report_relation (organization_id, file_id, reading, ordinal, n, type, source_id, target_id, stix_id, modified, state, location)
  select current_organization(), $1, $2, r.ordinal, r.n, r.type, r.source_id, r.target_id, r.stix_id, r.modified::timestamptz,
    r.state, r.location
  from unnest($3::int[], $4::int[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[])
    r(ordinal, n, type, source_id, target_id, stix_id, modified, state, location)`;

/** A B-tree entry holds at most 2,704 bytes (PostgreSQL), and a UTF-16 unit takes up to three. */
const longestIndexed = 500;

/** A key that is too long for an index is replaced by its hash. */
const boundedKey = (key: string): string =>
  key.length <= longestIndexed ? key : `sha256:${createHash('sha256').update(key).digest('hex')}`;

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

/** Bytes of an empty batch's buffer: a batch with its last row. */
const leastBytes = 320 * 1024;

/** Rows of a parse that are written together. */
export class RowBatch {
  readonly #records = new Utf8Text(leastBytes);
  readonly #objects = new ColumnArrays(['int4', 'text', 'text', 'text', 'text', 'text']);
  readonly #relations = new ColumnArrays([
    'int4',
    'int4',
    'text',
    'text',
    'text',
    'text',
    'text',
    'text',
    'text',
  ]);

  /** In bytes. */
  get length(): number {
    return this.#records.length + this.#objects.length + this.#relations.length;
  }

  addObject(o: ReportObject): void {
    this.#objects.add(o.ordinal, o.outcome, o.type, o.stixId, o.location, o.reason ?? '');
  }

  /** @param n number of the record among the records and relations of the parse */
  addRecord(r: ReportRecord, n: number): void {
    const head = `${r.ordinal}\t${n}\t${newId()}\t${r.kind}\t${copyCell(boundedKey(r.key))}\t${copyCell(r.type)}`;
    const object = `${copyCell(r.object.type)}\t${copyCell(r.object.stixId)}`;
    const origin = `${copyCell(r.stixId)}\t${copyCell(r.stixVersion)}\t${object}\t${copyCell(r.modified)}\t${copyCell(r.location)}`;
    const data = JSON.stringify(foldCvss(r.data));
    this.#records.add(
      `${head}\t${origin}\t${copyCell(r.name)}\t${copyCell(data)}\t${data.length}\t${r.state}\n`,
    );
  }

  addRelation(r: ReportRelation, n: number): void {
    // The relations of a 1.x construct are no objects of their own.
    const { modified, state } = r.version ?? { modified: null, state: 'active' };
    const stixId = r.version === undefined ? null : r.stixId;
    this.#relations.add(r.ordinal, n, r.type, r.sourceId, r.targetId, stixId, modified, state, r.location);
  }

  async write(connection: pg.PoolClient, reading: Reading): Promise<void> {
    if (this.#records.length > 0) {
      const copy = connection.query(copyFrom(copyRecords));
      copy.end(this.#records.bytes());
      await finished(copy);
      // The server has answered, so that the socket has sent everything.
      this.#records.release();
    }
    for (const [rows, insert] of [
      [this.#objects, insertObjects],
      [this.#relations, insertRelations],
    ] as const) {
      if (rows.rows === 0) continue;
      await connection.query(insert, [reading.fileId, reading.id, ...rows.arrays()]);
      rows.release();
    }
  }
}
