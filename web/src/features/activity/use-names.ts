import type { ActivityEntry } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ActivitySearch } from './activity-source.ts';
import type { Names } from './activity-view.tsx';
import { personOf } from './person.tsx';
import { peopleQuery } from './queries.ts';

/** Names of the person and object that the log is filtered by; the URL has only their ids. */
export function useNames({ actorId }: ActivitySearch, entries: readonly ActivityEntry[] | undefined): Names {
  const { data: people } = useQuery({ ...peopleQuery, enabled: actorId !== undefined });
  return useMemo(() => {
    const actors = new Map(people?.map(({ value, label = '' }) => [value, label]));
    const things = new Map(entries?.map(({ nounId, name }) => [nounId, name]));
    return {
      actorId: (id) => personOf(actors.get(id) ?? '').name || 'One person',
      nounId: (id) => personOf(things.get(id) ?? '').name || 'One thing',
    };
  }, [people, entries]);
}
