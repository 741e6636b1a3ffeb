import { defineList, type List, type ListField } from '../list.ts';
import type { Entity, Field, Fields } from './field.ts';
import { type ListedOf, listedFields, valueLabels } from './infer.ts';

type KindOf<F extends Field> = F extends { filter: 'range'; type: 'day' }
  ? { kind: 'day' }
  : F extends { filter: 'range'; type: 'instant' }
    ? { kind: 'time' }
    : F extends { filter: 'range' }
      ? { kind: 'number' }
      : F extends { filter: 'choice'; type: 'scale' }
        ? { kind: 'choice'; levels: true }
        : F extends { filter: 'choice' }
          ? { kind: 'choice' }
          : { kind: 'text' };

/** The columns and filters of a list of records. */
export type ListFieldsOf<F extends Fields> = { readonly [K in ListedOf<F>]: ListField & KindOf<F[K]> };

function kindOf({ type, filter }: Field): ListField['kind'] {
  if (filter === undefined) return 'text';
  if (filter === 'choice') return 'choice';
  if (type === 'day') return 'day';
  return type === 'instant' ? 'time' : 'number';
}

/** Names of the bands of a number, or of the values that a filter takes. */
function filterLabels(field: Field): Readonly<Record<string, string>> | undefined {
  if (field.type === 'number')
    return field.bands && Object.fromEntries(field.bands.map(({ value, label }) => [value, label]));
  const labels = valueLabels(field);
  return labels && { ...labels, ...field.filterValues };
}

function listFieldOf(field: Field): ListField {
  const labels = field.filter && filterLabels(field);
  return {
    label: field.listLabel ?? field.label,
    kind: kindOf(field),
    ...(labels && { values: Object.keys(labels), labels }),
    ...(field.filterValues && { uncounted: Object.keys(field.filterValues) }),
    ...(field.type === 'scale' && { levels: true as const }),
    ...(!field.sortable && { sortable: false as const }),
  };
}

/** The columns and filters of a list of records, in the order of the table. */
export const listFieldsOf = <F extends Fields>(fields: F): ListFieldsOf<F> =>
  Object.fromEntries(
    listedFields(fields).flatMap((name) => {
      const field: Field | undefined = fields[name];
      return field ? [[name, listFieldOf(field)]] : [];
    }),
  ) as unknown as ListFieldsOf<F>;

/** The list of an entity, newest first unless the query says otherwise. */
export const entityList = <F extends Fields>({ fields }: Entity & { fields: F }): List<ListFieldsOf<F>> =>
  defineList(listFieldsOf(fields), '-createdAt');
