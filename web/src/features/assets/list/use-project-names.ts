import { projects, type Asset, type Project } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../../../lib/api/call.ts';

/** Names that the chip of a filter shows. */
const mostNamed = 3;

const none: readonly string[] = [];
const nothing: readonly Project[] = [];

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
  const { data: loaded = nothing } = useQuery({
    queryKey: ['projects', 'names', missing],
    queryFn: ({ signal }) => Promise.all(missing.map((id) => call(projects.get, { params: { id }, signal }))),
    enabled: missing.length > 0,
  });
  return useMemo(
    () => new Map([...known, ...loaded.map(({ _id, name }) => [_id, name] as const)]),
    [known, loaded],
  );
}
