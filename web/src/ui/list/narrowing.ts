import { filteredFields, filterOf, filterText } from '../../lib/list/list-filter.ts';
import type { ListControl } from './list-control.ts';

/** All that narrows a list now: its fields, the extra filters with their words, and the search. */
export function narrowing({ view, state }: ListControl, extraWords: Readonly<Record<string, string>>) {
  return {
    fields: filteredFields(view.fields, state),
    extra: view.extra
      .filter((name) => state[name] !== undefined)
      .map((name) => ({ name, label: extraWords[name] ?? name })),
    text: state.search,
  };
}

/** 'Nothing matches “log4” with Severity: Critical and File: a.json.'; empty where nothing narrows the list. */
export function narrowingText(list: ListControl, extraWords: Readonly<Record<string, string>>): string {
  const { fields, extra, text } = narrowing(list, extraWords);
  const named = fields.flatMap((name) => {
    const field = list.view.fields[name];
    if (field === undefined) return [];
    return filterText(name, field, { filter: filterOf(list.state, name), words: list.view.words });
  });
  const filters = [...extra.map(({ label }) => label), ...named].join('; ');
  if (text === '') return filters === '' ? '' : `Nothing matches ${filters}.`;
  return filters === '' ? `Nothing matches “${text}”.` : `Nothing matches “${text}” with ${filters}.`;
}
