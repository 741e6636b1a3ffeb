import type { ReportFile } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { filesQuery } from './queries.ts';

/**
 * A file by its name and id: the list tells it without the content, which may be large. Undefined while it is not known,
 * or its name is not.
 */
export function useFile(fileId: string, name: string | undefined): ReportFile | undefined {
  const { data } = useQuery({ ...filesQuery({ name: [name ?? ''] }), enabled: name !== undefined });
  return data?.files.find(({ _id }) => _id === fileId);
}
