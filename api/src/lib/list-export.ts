import { pipeline, Readable } from 'node:stream';
import type { ListFields } from '@riskboard/contract';
import {
  type Database,
  type FilterInput,
  type ListSource,
  type OrganizationTransaction,
  walkFrom,
  withOrganization,
} from '@riskboard/db';
import { stringify } from 'csv-stringify';
import type { FastifyReply } from 'fastify';
import { asDownload } from './http/as-download.ts';

/** A list to be written out. */
export interface ListExport<Row extends { id: string }> {
  organizationId: string;
  source: ListSource;
  query: FilterInput & { sort: string; format: 'csv' | 'json'; columns?: string | undefined };
  present: (row: Row) => Record<string, unknown>;
  /** File name without its ending. */
  name: string;
}

/** The fields that are wanted, in their order; unknown names are passed over. */
function columnsOf(fields: ListFields, wanted: string | undefined): string[] {
  const names = wanted?.split(',').filter((name) => Object.hasOwn(fields, name)) ?? [];
  return names.length > 0 ? names : Object.keys(fields);
}

/** Step by step, each in a transaction of its own: a slow reader holds no connection and no snapshot. */
async function* rows<Row extends { id: string }>(database: Database, wanted: ListExport<Row>) {
  let cursor: string | undefined;
  do {
    const step = await withOrganization(database, wanted.organizationId, (trx: OrganizationTransaction) =>
      walkFrom<Row>(trx, wanted.source, { query: wanted.query, cursor }),
    );
    yield* step.rows;
    cursor = step.next;
  } while (cursor !== undefined);
}

async function* objects<Row extends { id: string }>(database: Database, wanted: ListExport<Row>) {
  const columns = columnsOf(wanted.source.fields, wanted.query.columns);
  for await (const row of rows(database, wanted)) {
    const shown = wanted.present(row);
    yield Object.fromEntries(columns.map((name) => [name, shown[name] ?? null]));
  }
}

/** Numbers of an enumeration as their labels, as tables show them; a number without a label stays a number. */
async function* withLabels<Row extends { id: string }>(database: Database, wanted: ListExport<Row>) {
  const { fields } = wanted.source;
  for await (const row of objects(database, wanted))
    yield Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        typeof value === 'number' ? (fields[name]?.labels?.[value] ?? value) : value,
      ]),
    );
}

async function* asJson(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const item of items) {
    yield separator + JSON.stringify(item);
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

/** One line a row under the heads that people see; cells that a spreadsheet would run as a formula are escaped. */
function asCsv<Row extends { id: string }>(database: Database, wanted: ListExport<Row>): Readable {
  const { fields } = wanted.source;
  const columns = columnsOf(fields, wanted.query.columns).map((key) => ({
    key,
    header: fields[key]?.label ?? key,
  }));
  const csv = stringify({
    header: true,
    columns,
    bom: true,
    escape_formulas: true,
    // Left to itself the library writes 1 for true and nothing for false.
    cast: {
      boolean: String,
      object: (value: unknown) => (Array.isArray(value) ? value.join('; ') : JSON.stringify(value)),
    },
  });
  // A failure destroys the csv with it, and so reaches the reply.
  return pipeline(Readable.from(withLabels(database, wanted)), csv, () => undefined);
}

const types = { csv: 'text/csv; charset=utf-8', json: 'application/json; charset=utf-8' } as const;

/** The filtered list as a download, streamed. */
export function sendExport<Row extends { id: string }>(
  reply: FastifyReply,
  database: Database,
  wanted: ListExport<Row>,
): FastifyReply {
  const { format } = wanted.query;
  return asDownload(reply, `${wanted.name}.${format}`, types[format]).send(
    format === 'csv' ? asCsv(database, wanted) : Readable.from(asJson(objects(database, wanted))),
  );
}
