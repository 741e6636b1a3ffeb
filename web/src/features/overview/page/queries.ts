import { overview, projects } from '@riskboard/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api/call.ts';

/** Categories with the largest summed severity, estimated impact and the time of the last recount. */
export const riskCategoriesQuery = queryOptions({
  queryKey: ['overview', 'risk-categories'],
  queryFn: ({ signal }) => call(overview.riskCategories, { signal }),
});

/** Mean severity of the open vulnerabilities at the end of each of the last 12 months. */
export const exposureTrendQuery = queryOptions({
  queryKey: ['overview', 'risk-exposure-trend'],
  queryFn: ({ signal }) => call(overview.exposureTrend, { signal }),
});

/** Numbers of all records: they are 0 only in an organization without records. */
export const inventoryQuery = queryOptions({
  queryKey: ['overview', 'inventory'],
  queryFn: ({ signal }) => call(projects.metrics, { signal }),
});
