import { projects } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../../lib/api/call.ts';
import { ApiError } from '../../../lib/api/errors.ts';

/** Name of a project that only its id names, such as one in the address; undefined without an id and until it is loaded. */
export function useProjectName(id: string | null): string | undefined {
  const { data, error } = useQuery({
    queryKey: ['projects', 'detail', id],
    queryFn: ({ signal }) => call(projects.get, { params: { id: id ?? '' }, signal }),
    enabled: id !== null,
  });
  return error instanceof ApiError && error.status === 404 ? 'Deleted project' : data?.name;
}
