import { notAvailable, type Field, type Fields } from '@riskboard/contract';
import { formatDay } from '../format/day.ts';
import { formatDate, formatNumber, formatScore } from '../format/format.ts';

/** Label of a field, as pages show it. */
export const fieldLabel = (fields: Fields, name: string): string => fields[name]?.label ?? name;

/** A label inside a sentence: 'severity', but 'CVSS'. */
export const inSentence = (label: string): string =>
  label === label.toUpperCase() ? label : label.charAt(0).toLowerCase() + label.slice(1);

/** Label of a field in its form. */
export const formLabel = (fields: Fields, name: string): string =>
  fields[name]?.formLabel ?? fieldLabel(fields, name);

const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === '';

/** Label of a value of a field; undefined for a value that the table does not know. */
export function valueLabel(field: Field, value: unknown): string | undefined {
  if (!('labels' in field)) return undefined;
  return (field.labels as Readonly<Record<string, string>>)[String(value)];
}

const shown = (value: unknown): string => (typeof value === 'number' ? formatNumber(value) : String(value));

function oneText(field: Field, value: unknown): string {
  if (field.type === 'day') return formatDay(String(value));
  if (field.type === 'instant') return formatDate(String(value));
  if (field.type === 'choice' && field.open === true) return valueLabel(field, value) ?? 'Unknown';
  const label = valueLabel(field, value);
  if (label !== undefined) return label;
  if (field.type === 'number' && field.score === true) return formatScore(Number(value));
  if (field.type === 'number' && field.outOf === true) return `${shown(value)} / ${formatNumber(field.max)}`;
  if ('unit' in field && field.unit !== undefined) return `${shown(value)} ${field.unit}`;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return shown(value);
  }
  const name = (value as { name?: unknown }).name;
  return typeof name === 'string' ? name : JSON.stringify(value);
}

/** Whether a field is shown as a score with its severity band: CVSS and severity. */
export const isBandedScore = (field: Field): boolean =>
  field.type === 'number' && field.score === true && field.max === 10;

/** Whether a field of a record and the description of its value are empty. */
export const isEmptyField = (record: object, name: string): boolean =>
  [name, `${name}Description`]
    .flatMap((one) => (record as Readonly<Record<string, unknown>>)[one])
    .every(isEmpty);

/** The value of a field as text: 'High' for 4, 'Nov 20, 2026' for a day, '5,000 USD'; 'N/A' when it is empty. */
export function fieldText(field: Field, value: unknown): string {
  const values = [value].flat().filter((one) => !isEmpty(one));
  return values.length === 0 ? notAvailable : values.map((one) => oneText(field, one)).join(', ');
}
