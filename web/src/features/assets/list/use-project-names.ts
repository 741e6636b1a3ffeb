import type { Asset } from '@riskboard/contract';
import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { projectNameOf, projectQuery } from '../../../ui/form/controls/use-project-name.ts';

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
    queries: missing.map((id) => projectQuery(id)),
    combine: (results) =>
      missing.flatMap((id, index) => {
        const name = results[index] && projectNameOf(results[index]);
        return name === undefined ? [] : [[id, name] as const];
      }),
  });
  return useMemo(() => new Map([...known, ...loaded]), [known, loaded]);
}
