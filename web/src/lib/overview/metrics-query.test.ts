import { overview } from '@riskboard/contract';
import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { metricsOf } from '../../testing/overview.ts';
import { answer, server, useServer } from '../../testing/server.ts';
import { metricsQuery } from './metrics-query.ts';

useServer();

/** The status after a reply of this time was fetched while critical numbers of 10:00:02 are shown. */
async function shownAfter(asOf: string): Promise<string | undefined> {
  const queryClient = new QueryClient();
  const shown = metricsOf({ asOf: '2026-11-22T10:00:02.000Z', securityStatus: 'critical' });
  queryClient.setQueryData(metricsQuery.queryKey, shown);
  server.use(answer(overview.metrics, () => metricsOf({ asOf })));
  await queryClient.fetchQuery({ ...metricsQuery, staleTime: 0 });
  return queryClient.getQueryData(metricsQuery.queryKey)?.securityStatus;
}

test.each([
  ['that is older than the shown numbers does not replace them', '2026-11-22T10:00:01.000Z', 'critical'],
  ['that is newer replaces them', '2026-11-22T10:00:03.000Z', 'poor'],
  ['of a database whose clock was set back by an hour replaces them', '2026-11-22T09:00:03.000Z', 'poor'],
])('a reply %s', async (_which, asOf, status) => {
  expect(await shownAfter(asOf)).toBe(status);
});
