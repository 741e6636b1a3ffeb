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
import type { FastifyReply } from 'fastify';
import { csvStream } from './csv-stream.ts';
import { asDownload } from './http/as-download.ts';

/** A list to export. */
export interface ListExport<Row extends { id: string }> {
  organizationId: string;
  source: ListSource;
  query: FilterInput & { sort: string; format: 'csv' | 'json'; columns?: string | undefined };
  present: (row: Row) => Record<string, unknown>;
  /** File name without its extension. */
  name: string;
}

/** The requested fields in the requested order, all by default; unknown names are ignored. */
function columnsOf(fields: ListFields, requested: string | undefined): string[] {
  const names = requested?.split(',').filter((name) => Object.hasOwn(fields, name)) ?? [];
  return names.length > 0 ? names : Object.keys(fields);
}

/** Reads in steps, each in its own transaction, so that a slow client holds no connection and no snapshot. */
async function* rows<Row extends { id: string }>(database: Database, exported: ListExport<Row>) {
  let cursor: string | undefined;
  do {
    const step = await withOrganization(database, exported.organizationId, (trx: OrganizationTransaction) =>
      walkFrom<Row>(trx, exported.source, { query: exported.query, cursor }),
    );
    yield* step.rows;
    cursor = step.next;
  } while (cursor !== undefined);
}

async function* objects<Row extends { id: string }>(database: Database, exported: ListExport<Row>) {
  const columns = columnsOf(exported.source.fields, exported.query.columns);
  for await (const row of rows(database, exported)) {
    const shown = exported.present(row);
    yield Object.fromEntries(columns.map((name) => [name, shown[name] ?? null]));
  }
}

/** Replaces numbers of an enumeration by their labels; a number without a label is kept. */
async function* withLabels<Row extends { id: string }>(database: Database, exported: ListExport<Row>) {
  const { fields } = exported.source;
  for await (const row of objects(database, exported))
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

/** One line per row under the labels of the list. */
function asCsv<Row extends { id: string }>(database: Database, exported: ListExport<Row>): Readable {
  const { fields } = exported.source;
  const columns = columnsOf(fields, exported.query.columns).map((key) => ({
    key,
    header: fields[key]?.label ?? key,
  }));
  // A failure destroys the CSV stream, which fails the reply.
  return pipeline(Readable.from(withLabels(database, exported)), csvStream(columns), () => undefined);
}

const types = { csv: 'text/csv; charset=utf-8', json: 'application/json; charset=utf-8' } as const;

/** Streams the filtered list as a download. */
export function sendExport<Row extends { id: string }>(
  reply: FastifyReply,
  database: Database,
  exported: ListExport<Row>,
): FastifyReply {
  const { format } = exported.query;
  return asDownload(reply, `${exported.name}.${format}`, types[format]).send(
    format === 'csv' ? asCsv(database, exported) : Readable.from(asJson(objects(database, exported))),
  );
}
