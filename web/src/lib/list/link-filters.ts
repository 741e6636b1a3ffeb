import { useRouter, type AnyRouter } from '@tanstack/react-router';
import type { ListFields } from '@riskboard/contract';
import { useMemo } from 'react';
import { text, type SearchSchema } from './search-schema.ts';

type Location = AnyRouter['latestLocation'];

/** The address with which each router was opened: the router then removes the parameters that are not valid. */
const openedWith = new WeakMap<AnyRouter, Location>();

/** Keeps the address with which the app was opened. Called before the router is used. */
export const keepOpenedAddress = (router: AnyRouter): void =>
  void openedWith.set(router, router.latestLocation);

// oxlint-disable-next-line no-underscore-dangle -- the router's name
const entryOf = ({ state }: Location): number => state.__TSR_index;

/** The search of the link that led to a location, with the parameters that are not valid. */
function linkSearch(router: AnyRouter, location: Location): Record<string, unknown> {
  const opened = openedWith.get(router);
  const isOpened = opened?.pathname === location.pathname && entryOf(opened) === entryOf(location);
  return isOpened ? opened.search : location.search;
}

interface Filtered {
  readonly fields: ListFields;
  /** Names of the extra filters. */
  readonly extra: readonly string[];
  readonly schema: SearchSchema<unknown>;
}

/** The number of different values of a parameter, without empty ones. */
function countOf(parameter: unknown): number {
  const values = [parameter ?? ''].flat().map((value) => text(value) ?? JSON.stringify(value));
  return new Set(values.filter((value) => value !== '')).size;
}

/**
 * Names of the filters in a URL that the list cannot use, completely or in part. A parameter that the page does not have
 * counts: it may be a misspelt filter.
 */
export function unusableFilters(
  { fields, extra, schema }: Filtered,
  search: Readonly<Record<string, unknown>>,
): string[] {
  const used = new Map<string, unknown>(Object.entries(schema.parse(search) as object));
  const filters = Object.keys(fields).flatMap((name) => [name, `${name}Min`, `${name}Max`]);
  const filterNames = new Set(['search', ...filters, ...extra]);
  const others = new Set(schema.names.filter((name) => !filterNames.has(name)));
  return Object.keys(search).filter(
    (name) => !others.has(name) && countOf(used.get(name)) < countOf(search[name]),
  );
}

/**
 * How many filters of the followed link the list has left out.
 * @param state of the list: the location is read when it changes. A list that renders with every location would navigate
 * from an old state.
 */
export function useUnusableFilters(list: Filtered, state: object): number {
  const router: AnyRouter = useRouter();
  return useMemo(
    () => unusableFilters(list, linkSearch(router, router.latestLocation)).length,
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the location belongs to the state
    [list, router, state],
  );
}
