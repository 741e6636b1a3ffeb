import { Readable } from 'node:stream';
import {
  type CsvRecords,
  csvLinesFrom,
  type Database,
  type FilterInput,
  type ListSource,
  type OrganizationTransaction,
  walkFrom,
  withOrganization,
} from '@riskboard/db';
import type { FastifyReply } from 'fastify';
import type { RawBuilder } from 'kysely';
import { type CsvColumn, csvHeader, csvLines } from './csv-stream.ts';
import { asDownload } from './http/as-download.ts';
import { invalidField } from './http/failure.ts';

/** A list to export. */
export interface ListExport<Row extends { id: string }> {
  organizationId: string;
  source: ListSource;
  query: FilterInput & { sort: string; format: 'csv' | 'json'; columns?: string | undefined };
  present: (row: Row) => Record<string, unknown>;
  /** Columns after those of the list, loaded for the rows of each step. */
  details?: ExportDetails | undefined;
  /** Records whose lines of CSV the database writes. */
  entity?: CsvRecords['entity'] | undefined;
  /** File name without its extension. */
  name: string;
}

/** What an export has beyond the columns of its list. */
export interface ExportDetails {
  columns: readonly CsvColumn[];
  /** SQL of the size in bytes of their values for the row `r` of the list. */
  bytes: RawBuilder<number>;
  /** Values of these rows by id. */
  load(
    trx: OrganizationTransaction,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, Record<string, unknown>>>;
}

type Columns = Pick<ListExport<{ id: string }>, 'source' | 'details'> & {
  query: { columns?: string | undefined };
};

/** The requested columns in the requested order, each once; all by default. @throws Failure 422 for unknown names */
export function exportedColumns({ source, details, query }: Columns): CsvColumn[] {
  const all = new Map(
    [
      ...Object.entries(source.fields).map(([key, { label }]) => ({ key, header: label })),
      ...(details?.columns ?? []),
    ].map((column) => [column.key, column]),
  );
  if (!query.columns) return [...all.values()];
  const names = [...new Set(query.columns.split(','))];
  const unknown = names.filter((name) => !all.has(name)).map((name) => name || 'an empty name');
  if (unknown.length > 0) throw invalidField('columns', `Unknown: ${unknown.join(', ')}.`);
  return names.flatMap((name) => all.get(name) ?? []);
}

/** An export with its columns. */
type WithColumns<Row extends { id: string }> = ListExport<Row> & { columns: readonly CsvColumn[] };

/** Some rows as the export shows them. */
async function readStep<Row extends { id: string }>(
  trx: OrganizationTransaction,
  { source, query, present, details }: ListExport<Row>,
  cursor: string | undefined,
): Promise<{ rows: Record<string, unknown>[]; next: string | undefined }> {
  const { rows: found, next } = await walkFrom<Row>(trx, source, {
    query,
    cursor,
    bytes: details?.bytes ?? source.bytes,
  });
  const loaded = await details?.load(
    trx,
    found.map(({ id }) => id),
  );
  return { rows: found.map((row) => ({ ...present(row), ...loaded?.get(row.id) })), next };
}

/** Rows that are formatted at once. */
const formattedRows = 100;

/**
 * Reads in steps, each in its own transaction, so that a slow client holds no connection and no snapshot. The next step is
 * read while the rows of the one before it are sent.
 */
async function* exportedParts<Row extends { id: string }>(
  database: Database,
  exported: ListExport<Row>,
): AsyncGenerator<Record<string, unknown>[]> {
  const read = (cursor?: string) =>
    awaitedLater(
      withOrganization(database, exported.organizationId, (trx) => readStep(trx, exported, cursor)),
    );
  let reading: ReturnType<typeof read> | undefined = read();
  while (reading !== undefined) {
    const { rows, next }: Awaited<ReturnType<typeof read>> = await reading;
    reading = next === undefined ? undefined : read(next);
    for (let first = 0; first < rows.length; first += formattedRows)
      yield rows.slice(first, first + formattedRows);
  }
}

/** The rows of an export, one by one. */
export async function* exportedRows<Row extends { id: string }>(
  database: Database,
  exported: ListExport<Row>,
) {
  for await (const rows of exportedParts(database, exported)) yield* rows;
}

/** The columns of a row, by default after its id, where rows have one. */
function withColumns(
  { columns, query }: Pick<WithColumns<{ id: string }>, 'columns' | 'query'>,
  row: Record<string, unknown>,
): Record<string, unknown> {
  const { _id } = row;
  const shown: Record<string, unknown> = _id !== undefined && !query.columns ? { _id } : {};
  for (const { key } of columns) shown[key] = row[key] ?? null;
  return shown;
}

/** Lines of CSV, with the labels of enumerations for their numbers; a number without a label is kept. */
async function* formattedLines<Row extends { id: string }>(
  database: Database,
  exported: WithColumns<Row>,
): AsyncGenerator<string> {
  const { columns, source } = exported;
  const cells = columns.map(({ key }) => ({ key, labels: source.fields[key]?.labels }));
  const cellsOf = (row: Record<string, unknown>): unknown[] =>
    cells.map(({ key, labels }) => {
      const { [key]: value = null } = row;
      return typeof value === 'number' ? (labels?.[value] ?? value) : value;
    });
  yield csvHeader(columns);
  for await (const rows of exportedParts(database, exported)) yield csvLines(columns, rows.map(cellsOf));
}

async function* asJson<Row extends { id: string }>(
  database: Database,
  exported: WithColumns<Row>,
): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const rows of exportedParts(database, exported)) {
    yield separator + rows.map((row) => JSON.stringify(withColumns(exported, row))).join(',\n');
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

/** A part of an export that is being read. */
interface Reading {
  lines: Promise<string[]>;
  /** The cursor of the next part, often known before the lines. */
  next: Promise<string | undefined>;
}

/**
 * The same lines as `csvLines` writes. The database reads two parts at once, also while the client receives the one
 * before them.
 */
async function* writtenLines<Row extends { id: string }>(
  database: Database,
  { entity, ...exported }: WithColumns<Row>,
): AsyncGenerator<string> {
  const { organizationId, source, query, columns } = exported;
  const records = { entity, source, fields: columns.map(({ key }) => key) };
  let hasEnded = false;
  const read = (cursor?: string): Reading => {
    const { promise: known, resolve: onNext } = Promise.withResolvers<string>();
    const part = withOrganization(database, organizationId, (trx) =>
      csvLinesFrom(trx, records, { query, cursor, onNext }),
    );
    return {
      lines: awaitedLater(part.then(({ rows }) => rows)),
      next: awaitedLater(Promise.race([known, part.then(({ next }) => next)])),
    };
  };
  const readAfter = async (reading: Reading): Promise<Reading | undefined> => {
    const next = await reading.next;
    return next === undefined || hasEnded ? undefined : read(next);
  };
  try {
    let current: Reading | undefined = read();
    yield csvHeader(columns);
    let following = awaitedLater(readAfter(current));
    while (current !== undefined) {
      const lines = await current.lines;
      const second = following;
      following = awaitedLater(second.then((reading) => reading && readAfter(reading)));
      yield* lines;
      current = await second;
    }
  } finally {
    hasEnded = true;
  }
}

/** A failure is thrown where the promise is awaited; a download that has ended does not await it. */
function awaitedLater<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/** One line per row under the labels of the list. */
function asCsv<Row extends { id: string }>(database: Database, exported: WithColumns<Row>): Readable {
  const { entity, source } = exported;
  const isWritten = entity !== undefined || source.cells !== undefined;
  return Readable.from((isWritten ? writtenLines : formattedLines)(database, exported));
}

const types = { csv: 'text/csv; charset=utf-8', json: 'application/json; charset=utf-8' } as const;

/** Streams the filtered list as a download. @throws Failure 422 for unknown columns */
export function sendExport<Row extends { id: string }>(
  reply: FastifyReply,
  database: Database,
  exported: ListExport<Row>,
): FastifyReply {
  const { format } = exported.query;
  const chosen = { ...exported, columns: exportedColumns(exported) };
  return asDownload(reply, `${exported.name}.${format}`, types[format]).send(
    format === 'csv' ? asCsv(database, chosen) : Readable.from(asJson(database, chosen)),
  );
}
