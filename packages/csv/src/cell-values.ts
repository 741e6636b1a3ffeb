import { writtenNumber } from '@riskboard/domain';

/** What reading a cell needs to know of a field (packages/contract/src/entities/field.ts). */
export interface CellField {
  type: string;
  labels?: Readonly<Record<string, string>>;
  unit?: string;
  max?: number;
  /** The bands of a score; their labels are no values of the field. */
  bands?: readonly { label: string; from: number }[];
}

/** The value of a cell for the schemas of the API, or why it has none. */
export type CellValue = { value: string | number | boolean } | { problem: string };

/** 1250 where a comma begins the decimals, else 1.25. */
const pointBeforeThree = /^-?[1-9]\d{0,2}\.\d{3}$/u;

const withoutUnit = (text: string, unit: string | undefined): string =>
  unit === 'USD' ? text.replace(/^(?:US)?\$|^USD|USD$|\$$/iu, '').trim() : text;

/** A text in lower case, with single spaces. */
const folded = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/gu, ' ');

/** Names of true and false beside the labels of a flag. */
const flags = new Map([
  ...['true', 'yes', 'y', '1'].map((text): [string, boolean] => [text, true]),
  ...['false', 'no', 'n', '0'].map((text): [string, boolean] => [text, false]),
]);

const choices = (labels: Readonly<Record<string, string>>): string => Object.values(labels).join(', ');

/** The keys of labels by label and by key, in any case. */
const keysByText = new WeakMap<object, ReadonlyMap<string, string>>();
function keyOf(labels: Readonly<Record<string, string>>, text: string): string | undefined {
  let keys = keysByText.get(labels);
  if (!keys) {
    keys = new Map(
      Object.entries(labels).flatMap(([key, label]) => [
        [folded(label), key],
        [folded(key), key],
      ]),
    );
    keysByText.set(labels, keys);
  }
  return keys.get(folded(text));
}

type Reader = (text: string, field: CellField, delimiter: string) => CellValue;

const readText: Reader = (text) => ({ value: text });

/** Whether a text cannot be a number. */
export const hasNoDigits = (text: string): boolean => !/\p{N}/u.test(text);

/** What to enter instead of a text that is not a number: a word such as High has the numbers from the band's limit. */
function numberProblem(text: string, bands: NonNullable<CellField['bands']>): string {
  const band = bands.find(({ label }) => folded(label) === folded(text));
  if (!band) return 'Enter a number.';
  const limits = bands.flatMap(({ label, from }) => (from > 0 ? `${label} from ${from}` : []));
  return `Enter a number instead of a word: ${limits.join(', ')}.`;
}

const readNumber: Reader = (text, { unit, max = 0, bands = [] }, delimiter) => {
  const bare = withoutUnit(text.trim(), unit);
  // Files of countries with a decimal comma have another delimiter. Only costs have thousands.
  if (delimiter !== ',' && max >= 1000 && pointBeforeThree.test(bare))
    return {
      problem: `${bare} can mean thousands or decimals. Write ${bare.replace('.', '')} for thousands, or ${bare}0 for decimals.`,
    };
  const value = writtenNumber(bare);
  return value === undefined ? { problem: numberProblem(text, bands) } : { value };
};

/** A label in any case, or the number itself. */
const readNumbered: Reader = (text, { labels = {} }) => {
  const key = keyOf(labels, text);
  const value = key === undefined ? writtenNumber(text) : Number(key);
  return value === undefined ? { problem: `Use one of ${choices(labels)}.` } : { value };
};

const readChoice: Reader = (text, { labels = {} }) => {
  const key = keyOf(labels, text);
  return key === undefined ? { problem: `Use one of ${choices(labels)}.` } : { value: key };
};

const readFlag: Reader = (text, { labels = {} }) => {
  const key = keyOf(labels, text);
  const value = key === undefined ? flags.get(folded(text)) : key === 'true';
  return value === undefined ? { problem: `Use ${choices(labels)}, yes or no.` } : { value };
};

/**
 * A day with dashes or slashes, year first, and any time of day after it: `2025-01-31 23:30:00` of databases and
 * spreadsheets, `2025-01-31T23:30`, `2025/01/31`.
 */
const writtenDay =
  /^(\d{4})([-/])(\d{2})\2(\d{2})(?:[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?: ?(?:Z|UTC|[+-]\d{2}:?\d{2}))?)?$/iu;

/** The day that is written, regardless of the time zone (contract, Calendar days); other texts as they are. */
const readDay: Reader = (text) => ({ value: text.trim().replace(writtenDay, '$1-$3-$4') });

const readTags: Reader = (text) => ({ value: text.replaceAll(';', ',') });

const readers: Readonly<Record<string, Reader>> = {
  number: readNumber,
  integer: readNumber,
  scale: readNumbered,
  code: readNumbered,
  choice: readChoice,
  flag: readFlag,
  day: readDay,
  tags: readTags,
};

/** Reads the text of a cell that is not empty as a value of the field, in a file with this delimiter. */
export const cellValue = (field: CellField, text: string, delimiter = ','): CellValue =>
  (readers[field.type] ?? readText)(text, field, delimiter);
