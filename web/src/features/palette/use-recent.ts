import { assets, projects, reports, threats, vulnerabilities } from '@riskboard/contract';
import { useQueries } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../../lib/api/call.ts';
import { ApiError } from '../../lib/api/errors.ts';
import { useStore } from '../../lib/browser/store.ts';
import { deletedRecords } from '../../lib/entity/deleted-records.ts';
import { callEntity } from '../../lib/entity/queries.ts';
import { forgetRecords, useRecentRecords, type RecentRecord } from '../../lib/session/recent-records.ts';

const calls = { vulnerabilities, threats, assets, projects } as const;

/** The same queries as on the pages of the records: what is known is shown at once, and changes refetch it. */
function queryOf({ noun, _id: id }: RecentRecord) {
  if (noun === 'reports') {
    return {
      queryKey: ['reports', 'import', id],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        call(reports.importReport, { params: { id }, signal }),
    };
  }
  return {
    queryKey: [noun, 'detail', id],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      callEntity<{ name: string }>(calls[noun].get, { params: { id }, signal }),
  };
}

const mayNotBeRead = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 404 || error.status === 403);

/** Recently opened records that still exist, with their current names. */
export function useRecent(): readonly RecentRecord[] {
  const recent = useRecentRecords();
  const deleted = useStore(deletedRecords);
  const results = useQueries({
    // Fetched again whenever the palette opens: a record that others deleted vanishes.
    queries: recent.map((record) => ({ ...queryOf(record), staleTime: 0 })),
  });
  const missing = recent.filter((_, index) => mayNotBeRead(results[index]?.error)).map(({ _id }) => _id);
  const missingIds = missing.join(' ');
  useEffect(() => {
    if (missingIds !== '') forgetRecords(missingIds.split(' '));
  }, [missingIds]);
  return recent.flatMap((record, index) => {
    const { data, error } = results[index] ?? {};
    if (deleted.has(record._id) || mayNotBeRead(error)) return [];
    const name = (data as { name?: string } | undefined)?.name;
    return [{ ...record, title: name ?? record.title }];
  });
}
