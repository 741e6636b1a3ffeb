import { projects, type Asset } from '@riskboard/contract';
import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../../../lib/api/call.ts';

/** Names that the chip of a filter shows. */
const mostNamed = 3;

const none: readonly string[] = [];

/** Names of the projects that a list is filtered by: from its rows, else loaded. */
export function useProjectNames(
  ids: readonly string[] = none,
  rows: readonly Asset[] | undefined,
): ReadonlyMap<string, string> {
  const known = useMemo(
    () => new Map(rows?.map(({ projectId, projectName }) => [projectId, projectName])),
    [rows],
  );
  const missing = rows === undefined ? none : ids.slice(0, mostNamed).filter((id) => !known.has(id));
  const loaded = useQueries({
    queries: missing.map((id) => ({
      queryKey: ['projects', 'detail', id],
      queryFn: ({ signal }: { signal: AbortSignal }) => call(projects.get, { params: { id }, signal }),
    })),
    combine: (results) => results.flatMap(({ data }) => (data === undefined ? [] : [data])),
  });
  return useMemo(
    () => new Map([...known, ...loaded.map(({ _id, name }) => [_id, name] as const)]),
    [known, loaded],
  );
}
