import { search, vignettes, type Reply } from '@riskboard/contract';
import { cweNumber, formatCount } from '@riskboard/domain';
import { keepPreviousData, useQuery, queryOptions } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { Grid3x3, LibraryBig, ListFilter, Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { call } from '../../lib/api/call.ts';
import { useDebounced } from '../../lib/hooks/use-debounced.ts';
import { commandGroups, type Command } from '../../lib/browser/commands.ts';
import { matching } from './command.ts';
import { useRecent } from './use-recent.ts';
import { listAddress, recordRoutes, recordAddress } from './record-routes.tsx';

/** One entry of the palette. */
export interface Entry {
  readonly id: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly icon: ReactNode;
  readonly keys?: string | undefined;
  readonly refusal?: string | undefined;
  /** It was found for an earlier input and stays until the answer for the new one arrives. */
  readonly isStale?: boolean;
  readonly run: () => void;
}

export interface EntryGroup {
  readonly value: string;
  /** Number of records with a matching name or id; absent: all are shown. */
  readonly total?: string;
  readonly items: readonly Entry[];
}

/** The API stops counting at this number (contract, search). */
const mostCounted = 1000;

const countText = (count: number): string =>
  count >= mostCounted ? `${formatCount(mostCounted)}+` : formatCount(count);

/** Whether the input looks like a record id; records are listed before pages then. */
const idLike = /^(?:cve|cwe|capec|ghsa|ta?\d)/iu;

const entryOf = ({ group: _group, terms: _terms, about: _about, ...command }: Command): Entry => command;

/** Commands by group. The groups whose commands match best come first; on equal terms, what can be done here. */
function commandEntries(commands: readonly Command[], typed: string): EntryGroup[] {
  const found = matching(commands, typed);
  return commandGroups
    .map((group) => {
      const matches = found.filter(({ command }) => command.group === group);
      const about = matches[0]?.command.about;
      return {
        value: about === undefined ? group : `${group}: ${about}`,
        items: matches.map(({ command }) => entryOf(command)),
        rank: matches[0]?.rank ?? 0,
      };
    })
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ value, items }) => ({ value, items }));
}

const markedStale = (group: EntryGroup, isStale: boolean): EntryGroup =>
  isStale ? { ...group, items: group.items.map((item) => ({ ...item, isStale })) } : group;

interface FoundRecord {
  noun: FoundNoun;
  _id: string;
  title: string;
}

/** Entries of the palette for an input: commands and records; for no input, also the recently opened records. */
export function useEntries(commands: readonly Command[], text: string) {
  const router = useRouter();
  const typed = text.trim();
  const settled = useDebounced(typed, 160);
  const query = useQuery(searchQuery(settled));
  const found = useQuery(vignettesQuery(settled));
  const recent = useRecent();
  const has = (noun: FoundNoun) => Object.hasOwn(router.routesByPath, recordRoutes[noun].route);
  const go = (address: string) => router.history.push(address);

  const recordEntry = ({ noun, _id, title }: FoundRecord, hint: string): Entry => ({
    id: _id,
    label: title,
    hint,
    icon: recordRoutes[noun].icon,
    run: () => go(recordAddress(noun, _id)),
  });

  /**
   * Entries that open the list of a group of which not all records are shown. Only a filter by id has a number: the list's
   * search also reads other columns, such as descriptions, and finds a text inside of words.
   */
  function listEntries({ noun, total, items, byId }: FoundGroup): Entry[] {
    if (total <= items.length) return [];
    const { label } = recordRoutes[noun];
    const withId = byId !== undefined && byId.total > items.length ? byId : undefined;
    const entries: Entry[] = [];
    if (withId !== undefined)
      entries.push({
        id: `all ${noun}`,
        label: `Show all ${countText(withId.total)} with ${withId.values.join(' or ')} in ${label}`,
        icon: <ListFilter aria-hidden size={16} />,
        run: () => go(listAddress(noun, { [withId.field]: withId.values })),
      });
    // Where the text finds only the records with the id, the list's search may find none.
    if (withId?.total !== total)
      entries.push({
        id: `search ${noun}`,
        label: `Search ${label} for “${settled}”`,
        icon: <Search aria-hidden size={16} />,
        run: () => go(listAddress(noun, { search: settled })),
      });
    return entries;
  }

  function recordGroup(group: FoundGroup): EntryGroup {
    const { noun, total, items } = group;
    return {
      value: recordRoutes[noun].label,
      total: countText(total),
      items: [...items.map((item) => recordEntry({ noun, ...item }, item.subtitle)), ...listEntries(group)],
    };
  }

  const named = commandEntries(commands, typed);
  const here = named.filter(({ value }) => /^(?:Selection|This record)/u.test(value));
  const last = {
    value: 'Recent',
    items: recent
      .filter(({ noun, _id }) => has(noun) && recordAddress(noun, _id) !== router.latestLocation.pathname)
      .map((one) => recordEntry(one, recordRoutes[one.noun].label)),
  };
  const records =
    typed === ''
      ? []
      : (query.data ?? [])
          .filter(({ noun }) => has(noun))
          .map(recordGroup)
          .map((group) => markedStale(group, typed !== settled || query.isPlaceholderData));
  const weakness = /^cwe/iu.test(typed) ? cweNumber(typed) : undefined;
  const weaknesses: EntryGroup = {
    value: 'Weaknesses',
    items:
      weakness === undefined
        ? []
        : [
            {
              id: `weakness ${weakness}`,
              label: `CWE-${weakness}`,
              hint: 'Weakness',
              icon: <LibraryBig aria-hidden size={16} />,
              run: () => go(`/dashboard/weaknesses/${weakness}`),
            },
          ],
  };
  const namedVignettes = markedStale(
    {
      value: 'Vignettes',
      items: (typed === '' ? [] : (found.data ?? [])).map(({ _id, name, scorecardName }) => ({
        id: _id,
        label: name,
        hint: scorecardName,
        icon: <Grid3x3 aria-hidden size={16} />,
        run: () => go(`/dashboard/reports/vignettes/${_id}`),
      })),
    },
    typed !== settled || found.isPlaceholderData,
  );
  const others = [...records, namedVignettes];
  const before = idLike.test(typed) ? [weaknesses, ...others, ...named] : [...named, ...others];
  const all = typed === '' ? [...here, last, ...named.filter((group) => !here.includes(group))] : before;
  const groups: EntryGroup[] = all.filter(({ items }) => items.length > 0);

  const failed = typed === '' ? undefined : [query, found].find(({ error }) => error !== null);

  return {
    groups,
    /** A request is pending. */
    waiting: typed !== '' && (typed !== settled || query.isFetching || found.isFetching),
    failure:
      failed === undefined || failed.error === null
        ? undefined
        : { error: failed.error, retry: failed.refetch },
  };
}

type FoundGroup = Reply<typeof search.everywhere>['groups'][number];
export type FoundNoun = FoundGroup['noun'];

/** Longest search text that the API accepts. */
export const longestQuery = 200;

/**
 * Records by name or id. The previous result stays while the next one loads; that of no text is empty, so that none
 * stays from before the input was cleared.
 */
const searchQuery = (text: string) =>
  queryOptions({
    queryKey: ['search', text],
    queryFn: async ({ signal }) => (await call(search.everywhere, { query: { q: text }, signal })).groups,
    enabled: text !== '',
    initialData: text === '' ? [] : undefined,
    placeholderData: keepPreviousData,
  });

/** Vignettes that the palette lists. */
const vignettesShown = 5;

const vignettesQuery = (text: string) =>
  queryOptions({
    queryKey: ['vignettes', 'palette', text],
    queryFn: async ({ signal }) =>
      (await call(vignettes.list, { query: { search: text, pageSize: vignettesShown }, signal })).items,
    enabled: text !== '',
    initialData: text === '' ? [] : undefined,
    placeholderData: keepPreviousData,
  });
