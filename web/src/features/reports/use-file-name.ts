import { useQuery } from '@tanstack/react-query';
import { importReportQuery } from './queries.ts';

/** Name of a file, for a list that is narrowed to it; undefined while it is not known. */
export function useFileName(fileId: string | undefined): string | undefined {
  const { data } = useQuery({
    ...importReportQuery(fileId ?? ''),
    select: (report) => report.originalFilename,
    enabled: fileId !== undefined,
  });
  return data;
}
