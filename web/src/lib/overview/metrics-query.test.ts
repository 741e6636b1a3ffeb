import { overview } from '@riskboard/contract';
import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { metricsOf } from '../../testing/overview.ts';
import { answer, server, useServer } from '../../testing/server.ts';
import { metricsQuery } from './metrics-query.ts';

useServer();

test('a reply that is older than the shown numbers does not replace them', async () => {
  const queryClient = new QueryClient();
  const newer = metricsOf({ asOf: '2026-11-22T10:00:02.000Z', securityStatus: 'critical' });
  queryClient.setQueryData(metricsQuery.queryKey, newer);
  server.use(answer(overview.metrics, () => metricsOf({ asOf: '2026-11-22T10:00:01.000Z' })));
  await queryClient.fetchQuery({ ...metricsQuery, staleTime: 0 });
  expect(queryClient.getQueryData(metricsQuery.queryKey)?.securityStatus).toBe('critical');
  server.use(answer(overview.metrics, () => metricsOf({ asOf: '2026-11-22T10:00:03.000Z' })));
  await queryClient.fetchQuery({ ...metricsQuery, staleTime: 0 });
  expect(queryClient.getQueryData(metricsQuery.queryKey)?.securityStatus).toBe('poor');
});

test('after the clock of the database was set back by an hour, replies are shown', async () => {
  const queryClient = new QueryClient();
  const shown = metricsOf({ asOf: '2026-11-22T10:00:00.000Z', securityStatus: 'critical' });
  queryClient.setQueryData(metricsQuery.queryKey, shown);
  server.use(answer(overview.metrics, () => metricsOf({ asOf: '2026-11-22T09:00:01.000Z' })));
  await queryClient.fetchQuery({ ...metricsQuery, staleTime: 0 });
  expect(queryClient.getQueryData(metricsQuery.queryKey)?.securityStatus).toBe('poor');
});
