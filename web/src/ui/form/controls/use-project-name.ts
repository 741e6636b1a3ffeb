import { projects } from '@riskboard/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../../lib/api/call.ts';
import { isMissing } from '../../../lib/api/errors.ts';

/** A project, as its page loads it too. */
export const projectQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', 'detail', id],
    queryFn: ({ signal }) => call(projects.get, { params: { id }, signal }),
  });

/** Name of a project from its query; undefined until it is loaded. */
export const projectNameOf = (query: {
  data?: { name: string } | undefined;
  error: unknown;
}): string | undefined => (isMissing(query.error) ? 'Deleted project' : query.data?.name);

/** Name of a project that only its id names, such as one in the address; undefined without an id and until it is loaded. */
export const useProjectName = (id: string | null): string | undefined =>
  projectNameOf(useQuery({ ...projectQuery(id ?? ''), enabled: id !== null }));
