import { formatDay } from '../format/day.ts';

type Bounds<N extends string> = { readonly [K in `${N}Min` | `${N}Max`]?: string | undefined };

/** Labels of the filters `<name>Min` and `<name>Max`, whose days are days in UTC, as the history of numbers has them. */
export const timeRangeLabels = <N extends string>(
  name: N,
  label: string,
  search: Bounds<N>,
): Readonly<Record<string, string>> => ({
  [`${name}Min`]: `${label}: from ${formatDay(search[`${name}Min`] ?? '')} (UTC)`,
  [`${name}Max`]: `${label}: until ${formatDay(search[`${name}Max`] ?? '')} (UTC)`,
});
