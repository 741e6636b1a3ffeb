import { decimalNumber } from '../decimal.ts';

/** A parsed JSON object of unknown shape. Only known keys are read, so `__proto__` has no special effect. */
export type JsonObject = { readonly [key: string]: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The text at a key; undefined when absent, blank or not a string. */
export function textAt(object: JsonObject, key: string): string | undefined {
  const value = object[key];
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** The texts of a list at a key; a bare text counts as a list of one. */
export function textsAt(object: JsonObject, key: string): string[] {
  const value = object[key];
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((item): item is string => typeof item === 'string' && item.trim() !== '');
}

/** The objects of a list at a key; a bare object counts as a list of one. */
export function objectsAt(object: JsonObject, key: string): JsonObject[] {
  const value = object[key];
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.filter(isObject);
}

/** Whether a value is more than null or a blank text. */
export const isStated = (value: unknown): boolean =>
  value !== undefined && value !== null && !(typeof value === 'string' && value.trim() === '');

/** Whether the value at a key is true, also when written as text ("true", "1") or as 1. */
export function isTrueAt(object: JsonObject, key: string): boolean {
  const value = object[key];
  if (typeof value !== 'string') return value === true || value === 1;
  return /^\s*(?:true|1)\s*$/i.test(value);
}

/** A finite number at a key, also when written as text ("6.8", MISP). */
export function numberAt(object: JsonObject, key: string): number | undefined {
  const value = object[key];
  const number = typeof value === 'string' ? decimalNumber(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}
