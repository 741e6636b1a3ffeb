import type { Field, Fields } from '@riskboard/contract';
import type { Body, Entity } from './entity.ts';

interface FieldTable {
  fields: Fields;
}

/** The value of a field of a new record before anything is entered. */
function blankOf(field: Field): unknown {
  if ('default' in field && field.default !== undefined) return field.default;
  if (field.type === 'text' || field.type === 'prose') return '';
  return field.type === 'tags' || field.type === 'relations' ? [] : null;
}

/** A request's value as records have it: a form sends an empty number or day as '' (spec 5). */
const storedOf = (field: Field, value: unknown): unknown =>
  value === '' && field.type !== 'text' && field.type !== 'prose' ? null : value;

/**
 * The fields of a request body as records have them, for the cache. Related assets are left out: the request names them
 * by id, and the cache needs their names.
 */
export function recordFieldsOf({ fields }: FieldTable, body: Body): Body {
  const entries = Object.entries(body).flatMap(([name, value]): [string, unknown][] => {
    const field = fields[name];
    if (field === undefined || field.type === 'relations') return [];
    return [[name, storedOf(field, value)]];
  });
  return Object.fromEntries(entries);
}

/** The row of a list that a create request will produce, until the server has answered. */
export function previewOf(entity: FieldTable & Pick<Entity, 'form'>, body: Body): Body {
  const now = new Date().toISOString();
  const blank = Object.entries(entity.fields)
    .filter(([, field]) => field.list === true)
    .map(([name, field]) => [name, blankOf(field)] as const);
  const record = { ...Object.fromEntries(blank), ...recordFieldsOf(entity, body) };
  return {
    ...record,
    ...entity.form.derivedOf?.(record),
    createdAt: now,
    updatedAt: now,
  };
}
