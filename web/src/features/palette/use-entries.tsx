import { search, type Reply } from '@riskboard/contract';
import { keepPreviousData, useQuery, queryOptions } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { ListFilter } from 'lucide-react';
import type { ReactNode } from 'react';
import { call } from '../../lib/api/call.ts';
import { formatCount } from '../../lib/format/format.ts';
import { useDebounced } from '../../lib/hooks/use-debounced.ts';
import { matching, type Command } from './command.ts';
import { useRecent, type Recent } from './recent.ts';
import { listAddress, recordRoutes, recordAddress } from './record-routes.tsx';

/** One entry of the palette. */
export interface Entry {
  readonly id: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly icon: ReactNode;
  readonly keys?: string | undefined;
  readonly refusal?: string | undefined;
  readonly run: () => void;
}

export interface EntryGroup {
  readonly value: string;
  /** Total number of matches; absent: all are shown. */
  readonly total?: string;
  readonly items: readonly Entry[];
}

/** The API stops counting at this number (contract, search). */
const mostCounted = 1000;

/** Whether the input looks like a record id; records are listed before pages then. */
const idLike = /^(?:cve|cwe|capec|ghsa|ta?\d)/iu;

const entryOf = ({ group: _group, terms: _terms, ...command }: Command): Entry => command;

/** Entries of the palette for an input: pages, actions and records; for no input, the recently opened records. */
export function useEntries(commands: readonly Command[], text: string) {
  const router = useRouter();
  const typed = text.trim();
  const settled = useDebounced(typed, 160);
  const query = useQuery({ ...searchQuery(settled), placeholderData: keepPreviousData });
  const [recent, remember] = useRecent();
  const has = (noun: Recent['noun']) => Object.hasOwn(router.routesByPath, recordRoutes[noun].route);
  const go = (address: string) => router.history.push(address);

  function recordEntry(record: Recent, hint = record.subtitle): Entry {
    return {
      id: record._id,
      label: record.title,
      hint,
      icon: recordRoutes[record.noun].icon,
      run() {
        remember(record);
        go(recordAddress(record.noun, record._id));
      },
    };
  }

  function recordGroup({ noun, total, items }: FoundGroup): EntryGroup {
    const { label } = recordRoutes[noun];
    const all = total >= mostCounted ? `${formatCount(mostCounted)}+` : formatCount(total);
    const rest: Entry = {
      id: `all ${noun}`,
      label: `Show all ${all} in ${label}`,
      icon: <ListFilter aria-hidden size={16} />,
      run: () => go(listAddress(noun, settled)),
    };
    return {
      value: label,
      total: all,
      items: [
        ...items.map((item) => recordEntry({ noun, ...item })),
        ...(total > items.length ? [rest] : []),
      ],
    };
  }

  const found = matching(commands, typed);
  const named = (['Pages', 'Actions'] as const).map((value) => ({
    value,
    items: found.filter(({ group }) => group === value).map(entryOf),
  }));
  const last = {
    value: 'Recent',
    items: recent
      .filter(({ noun }) => has(noun))
      .map((one) => recordEntry(one, recordRoutes[one.noun].label)),
  };
  const records =
    typed === '' ? [] : (query.data?.groups ?? []).filter(({ noun }) => has(noun)).map(recordGroup);
  const before = idLike.test(typed) ? [...records, ...named] : [...named, ...records];
  const groups: EntryGroup[] = (typed === '' ? [last, ...named] : before).filter(
    ({ items }) => items.length > 0,
  );

  return {
    groups,
    /** A request is pending. */
    waiting: typed !== '' && (typed !== settled || query.isFetching),
    failure: typed === '' || query.error === null ? undefined : { error: query.error, retry: query.refetch },
  };
}

type FoundGroup = Reply<typeof search.everywhere>['groups'][number];
export type FoundNoun = FoundGroup['noun'];

/** Longest search text that the API accepts. */
export const longestQuery = 200;

/** Records by name or id; the previous result stays while the next one loads. */
const searchQuery = (text: string) =>
  queryOptions({
    queryKey: ['search', text],
    queryFn: ({ signal }) => call(search.everywhere, { query: { q: text }, signal }),
    enabled: text !== '',
    placeholderData: text === '' ? undefined : keepPreviousData,
  });
