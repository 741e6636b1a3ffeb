import {
  type Field,
  importableFields,
  type ImportableField,
  importEntity,
  type ImportNoun,
  type ImportPlan,
  proseMax,
  relatedMax,
} from '@riskboard/contract';
import { newSchema } from '@riskboard/contract/schemas';
import { formatCount, normalized, plainLine, splitNames, unguardFormula } from '@riskboard/domain';
import type { z } from 'zod';
import { cellValue } from './cell-values.ts';
import { cvssCells } from './cvss-cells.ts';
import type { CsvRow } from './parser.ts';

export type ColumnValue = string | number | boolean | string[] | null;

export interface CellProblem {
  field: string;
  message: string;
  /** A record that has this value already keeps it: reports bring values that a form does not accept. */
  isKept: boolean;
}

/** A row as it is compared with the records. */
export interface ReadRow {
  line: number;
  /** What finds an existing record, as it is written in the file; empty: nothing does. */
  key: string;
  name: string;
  /** Name or id of the project; null: no column names it. */
  project: string | null;
  /** Names of related assets; null: no column has them. */
  related: string[] | null;
  /** Column values of the entity's table. Null clears a field that can be empty, and leaves any other as it is. */
  values: Record<string, ColumnValue>;
  problems: CellProblem[];
  /** The first required field other than the key without a value, which matters for a new record. */
  missing: { field: string; message: string } | null;
}

/** A field that a new record needs. */
interface RequiredField {
  field: string;
  message: string;
  /** Columns of numbers from which it gets its value otherwise. */
  sources: readonly string[];
}

/** What reading a row needs to know of its file. */
interface RowFile {
  /** Columns of the header row. */
  columns: number;
  delimiter: string;
}

interface Column {
  index: number;
  name: string;
  field: Field;
  importable: ImportableField;
  schema: z.ZodType;
  /** Results of texts that were read before. */
  known: Map<string, CellResult>;
}

/** Fields that are read by themselves, not as a column of the table. */
const special: ReadonlySet<string> = new Set(['projectId', 'relatedAssets']);

function columnsOf(noun: ImportNoun, { mapping }: Pick<ImportPlan, 'mapping'>): Column[] {
  const { fields } = importEntity(noun);
  const shape = newSchema(fields).shape as unknown as Readonly<Record<string, z.ZodType | undefined>>;
  const importable = new Map(importableFields(noun).map((one) => [one.field, one]));
  return mapping.flatMap(({ column, field: name }) => {
    const known = name === null ? undefined : importable.get(name);
    const field = name === null ? undefined : fields[name];
    const schema = name === null ? undefined : shape[name];
    return name !== null && known && field && schema
      ? [{ index: column, name, field, importable: known, schema, known: new Map() }]
      : [];
  });
}

/** The value of a cell that the schema refused, where a record can have it all the same. */
function keptValue({ type }: Field, value: unknown): ColumnValue | undefined {
  if (typeof value === 'number') {
    const whole = type === 'scale' || type === 'code' || type === 'integer';
    return !whole || (Number.isInteger(value) && Math.abs(value) < 2 ** 31) ? value : undefined;
  }
  if (typeof value !== 'string' || type === 'day') return undefined;
  return type === 'tags' ? value.split(/[,\s]+/u).filter((text) => text !== '') : value.trim();
}

const emptyValue = ({ field, importable }: Column): ColumnValue => {
  if (!importable.clearable) return null;
  if (field.type === 'tags') return [];
  return field.type === 'text' || field.type === 'prose' ? '' : null;
};

/** A file has many forms of dates; whether 01/02/2025 is in January or February is not guessed. */
const dayProblem = 'Enter a date as YYYY-MM-DD, such as 2025-01-31.';

const messageOf = ({ type }: Field, error: z.ZodError): string =>
  type === 'day' ? dayProblem : (error.issues[0]?.message ?? 'The value is not valid.');

/** Reads the rows of a file for one choice of columns. */
export class RowReader {
  readonly #columns: Column[];
  readonly #key: string;
  readonly #required: RequiredField[];

  constructor(noun: ImportNoun, plan: ImportPlan) {
    this.#columns = columnsOf(noun, plan);
    this.#key = plan.key;
    const given = plan.projectId === undefined ? [] : ['projectId'];
    const { fields } = importEntity(noun);
    this.#required = importableFields(noun)
      .filter(({ field, required }) => required && field !== plan.key && !given.includes(field))
      .map(({ field, label, from = [] }) => ({
        field,
        message: field === 'projectId' ? 'Choose a project.' : `Enter a ${label.toLowerCase()}.`,
        sources: from.flatMap((name) => fields[name]?.column ?? []),
      }));
  }

  /** Names of the fields that have a column. */
  get fields(): string[] {
    return this.#columns.map(({ name }) => name);
  }

  /** The text of the cell of each field, without the apostrophe that an export adds. */
  texts({ cells }: CsvRow): { column: number; field: string; text: string }[] {
    return this.#columns.map(({ index, name }) => ({
      column: index,
      field: name,
      text: unguardFormula(cells[index] ?? ''),
    }));
  }

  /** All rows are of one file: the value of a text that other rows have too is remembered. */
  read(row: CsvRow, { columns, delimiter }: RowFile): ReadRow {
    const texts = new Map(this.texts(row).map(({ field, text }) => [field, text]));
    const read: ReadRow = {
      line: row.line,
      key: '',
      name: plainLine(texts.get('name') ?? '')
        .trim()
        .slice(0, 500)
        .toWellFormed(),
      project: nameOrNull(texts.get('projectId')),
      related: null,
      values: {},
      problems: [],
      missing: null,
    };
    for (const column of this.#columns)
      this.#readCell(read, column, { text: texts.get(column.name) ?? '', delimiter });
    const surplus = row.cells.slice(columns).some((cell) => cell.trim() !== '');
    if (surplus)
      read.problems.unshift({
        field: '',
        message: `The row has ${row.cells.length} cells, the header row ${columns}.`,
        isKept: false,
      });
    cvssCells(read);
    const key = read.values[this.#keyColumn()];
    const written = nameIn(texts.get(this.#key) ?? '');
    if (typeof key === 'string') read.key = plainLine(written).trim() === key ? written : key;
    read.missing = this.#missingOf(texts, read);
    return read;
  }

  #keyColumn(): string {
    return this.#columns.find(({ name }) => name === this.#key)?.field.column ?? '';
  }

  #missingOf(texts: ReadonlyMap<string, string>, { values }: ReadRow): ReadRow['missing'] {
    const missing = this.#required.find(
      ({ field, sources }) =>
        (texts.get(field) ?? '').trim() === '' &&
        !sources.some((column) => typeof values[column] === 'number'),
    );
    return missing === undefined ? null : { field: missing.field, message: missing.message };
  }

  #readCell(read: ReadRow, column: Column, { text, delimiter }: { text: string; delimiter: string }): void {
    const { name, field } = column;
    if (name === 'relatedAssets') return readRelated(read, text);
    if (special.has(name) || field.column === null) return;
    if (text.trim() === '') {
      read.values[field.column] = emptyValue(column);
      return;
    }
    const result = column.known.get(text) ?? readNew(column, { text, delimiter });
    if ('value' in result) read.values[field.column] = result.value;
    else fail(read, { name, column: field.column }, result);
  }
}

/** The value of a cell, or why it has none. */
type CellResult = { value: ColumnValue } | { message: string; kept: ColumnValue | undefined };

function readAs(
  { field, schema }: Pick<Column, 'field' | 'schema'>,
  { text, delimiter }: { text: string; delimiter: string },
): CellResult {
  const cell = cellValue(field, text, delimiter);
  if ('problem' in cell)
    return { message: cell.problem, kept: field.type === 'choice' ? text.trim() : undefined };
  const parsed = schema.safeParse(cell.value);
  if (parsed.success) return { value: parsed.data as ColumnValue };
  return { message: messageOf(field, parsed.error), kept: keptValue(field, cell.value) };
}

/** Longest text whose result is remembered. V8 copies it, while a longer one would keep the piece of the file that it is part of. */
const rememberedLength = 12;
/** Results of a column that are remembered at once. */
const rememberedMost = 500;

/** Reads a cell and remembers a short one: files repeat a state, a day or a level in many rows. */
function readNew(column: Column, cell: { text: string; delimiter: string }): CellResult {
  const result = readAs(column, cell);
  if (cell.text.length <= rememberedLength) {
    if (column.known.size >= rememberedMost) column.known.clear();
    column.known.set(cell.text, result);
  }
  return result;
}

/** A name as it is written, which finds records that have exactly this name; else its plain form finds them. */
const nameIn = (text: string): string => normalized(text).trim();

const nameOrNull = (text: string | undefined): string | null => nameIn(text ?? '') || null;

function fail(
  read: ReadRow,
  { name, column }: { name: string; column: string },
  { message, kept }: { message: string; kept: ColumnValue | undefined },
): void {
  read.problems.push({ field: name, message, isKept: kept !== undefined });
  read.values[column] = kept ?? null;
}

function readRelated(read: ReadRow, text: string): void {
  const problem = (message: string) => read.problems.push({ field: 'relatedAssets', message, isKept: false });
  read.related = splitNames(text.slice(0, proseMax * 10)).map(nameIn);
  if (read.related.length > relatedMax) problem(`Name at most ${formatCount(relatedMax)} assets.`);
}
