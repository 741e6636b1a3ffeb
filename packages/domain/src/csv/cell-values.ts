import { decimalNumber } from '../decimal.ts';

/** What reading a cell needs to know of a field (packages/contract/src/entities/field.ts). */
export interface CellField {
  type: string;
  labels?: Readonly<Record<string, string>>;
  unit?: string;
}

/** The value of a cell for the schemas of the API, or why it has none. */
export type CellValue = { value: string | number | boolean } | { problem: string };

const spaces = /[\s\u00a0\u202f']/gu;
const whole = /^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/u;
const decimalComma = /^-?(?:\d+|\d{1,3}(?:\.\d{3})+),\d+$/u;

/**
 * A number, also with separators of thousands (`1,250,000.50`, `1 250 000,50`) or a decimal comma. A comma before three
 * digits separates thousands.
 */
export function numberOf(text: string): number | undefined {
  const bare = text.replaceAll(spaces, '');
  const standard = whole.test(bare)
    ? bare.replaceAll(',', '')
    : decimalComma.test(bare)
      ? bare.replaceAll('.', '').replace(',', '.')
      : bare;
  return decimalNumber(standard);
}

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

type Reader = (text: string, field: CellField) => CellValue;

const readText: Reader = (text) => ({ value: text });

const readNumber: Reader = (text, { unit }) => {
  const value = numberOf(withoutUnit(text.trim(), unit));
  return value === undefined ? { problem: 'Enter a number.' } : { value };
};

/** A label in any case, or the number itself. */
const readNumbered: Reader = (text, { labels = {} }) => {
  const key = keyOf(labels, text);
  const value = key === undefined ? numberOf(text) : Number(key);
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

const readDay: Reader = (text) => ({ value: text.trim() });

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

/** Reads the text of a cell that is not empty as a value of the field. */
export const cellValue = (field: CellField, text: string): CellValue =>
  (readers[field.type] ?? readText)(text, field);
