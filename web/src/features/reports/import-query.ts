import { reports } from '@riskboard/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../lib/api/call.ts';

/** The outcome of every object in a report. */
export const importReportQuery = (fileId: string) =>
  queryOptions({
    queryKey: ['reports', 'import', fileId],
    queryFn: ({ signal }) => call(reports.importReport, { params: { id: fileId }, signal }),
  });

/** Name of the file that a list is filtered by; undefined until it is loaded. */
export function useFileName(fileId: string | undefined): string | undefined {
  const { data } = useQuery({
    ...importReportQuery(fileId ?? ''),
    select: (report) => report.originalFilename,
    enabled: fileId !== undefined,
  });
  return data;
}
