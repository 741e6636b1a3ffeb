import { formatDay } from '../format/day.ts';

/** Labels of the filters `<name>Min` and `<name>Max`, whose days are days in UTC, as the history of numbers has them. */
export function timeRangeLabels(
  name: string,
  label: string,
  search: object,
): Readonly<Record<string, string>> {
  const day = (end: 'Min' | 'Max') => {
    const bound = (search as Readonly<Record<string, unknown>>)[`${name}${end}`];
    return typeof bound === 'string' ? formatDay(bound) : '';
  };
  return {
    [`${name}Min`]: `${label}: from ${day('Min')} (UTC)`,
    [`${name}Max`]: `${label}: until ${day('Max')} (UTC)`,
  };
}
