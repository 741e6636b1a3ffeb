import type { Facets } from '@riskboard/contract';
import { type RawBuilder, sql } from 'kysely';
import { isLike } from '../like.ts';
import { contains, type ListColumn } from '../source.ts';

export type Facet = Facets['facets'][string];
export type FacetValue = Facet['values'][number];

/** Values that one facet returns; `facetSearch` finds the others. */
export const mostValues = 200;

/** A field of a list whose values are counted. */
export interface CountedField {
  name: string;
  column: ListColumn;
  /** Its values are numbers or times, which have a least and a greatest value. */
  isRanged: boolean;
  /** Its values are listed. Numbers and times without bands have too many: only the rows without one are counted. */
  hasValues: boolean;
}

/** The condition of `facetSearch` on a value and its label. @param search without spaces at its ends; empty: no condition */
export function named({ label }: ListColumn, search: string): RawBuilder<unknown> {
  const searched = label === undefined ? sql`value` : sql`concat_ws(' ', value, label)`;
  return search === '' ? sql`` : sql`where ${isLike(searched, contains(search))}`;
}

/** A least or greatest value in JSON: a number, a day, or a time. */
export type Bound = number | string | null;

/** Times as in the other replies. */
export function boundOf({ column: { type } }: CountedField, bound: Bound): Bound {
  return type === 'timestamptz' && bound !== null ? new Date(bound).toISOString() : bound;
}
