import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { createStaleMarker, refetchStale } from './stale.ts';

afterEach(() => vi.useRealTimers());

test('a change during the first load of a list fetches the list again when the load has ended', async () => {
  const queryClient = new QueryClient();
  const loads: ((rows: string) => void)[] = [];
  const list = new QueryObserver(queryClient, {
    queryKey: ['threats', 'list'],
    queryFn: () => new Promise<string>((resolve) => loads.push(resolve)),
  });
  const unsubscribe = list.subscribe(() => undefined);
  refetchStale(queryClient, { queryKey: ['threats'] });
  refetchStale(queryClient, { queryKey: ['threats'] });
  loads[0]?.('read before the change');
  await vi.waitFor(() => expect(loads).toHaveLength(2));
  loads[1]?.('read after the change');
  await vi.waitFor(() => expect(list.getCurrentResult().data).toBe('read after the change'));
  expect(loads).toHaveLength(2);
  unsubscribe();
});

test('a slow query is refreshed during a steady stream of events, and shows the last change', async () => {
  vi.useFakeTimers();
  const queryClient = new QueryClient();
  let change = 0;
  const shown: number[] = [];
  const aborted: number[] = [];
  const list = new QueryObserver(queryClient, {
    queryKey: ['threats', 'list'],
    async queryFn({ signal }) {
      const read = change;
      signal.addEventListener('abort', () => aborted.push(read));
      await new Promise((resolve) => setTimeout(resolve, 700));
      return read;
    },
  });
  const unsubscribe = list.subscribe(({ data }) => {
    if (data !== undefined && shown.at(-1) !== data) shown.push(data);
  });
  await vi.advanceTimersByTimeAsync(1000);
  const stale = createStaleMarker(queryClient);
  for (change = 1; change < 50; change += 1) {
    stale.mark('threat.changed');
    await vi.advanceTimersByTimeAsync(200);
  }
  expect(aborted).toEqual([]);
  expect(shown.length).toBeGreaterThan(5);
  stale.mark('threat.changed');
  await vi.advanceTimersByTimeAsync(5000);
  expect(shown.at(-1)).toBe(change);
  unsubscribe();
});

test('a change during a load that is cancelled leaves the query stale', async () => {
  const queryClient = new QueryClient();
  queryClient.setQueryData(['threats', 'list'], 'read before the change');
  const list = new QueryObserver(queryClient, {
    queryKey: ['threats', 'list'],
    // The signal is used, so that a load without observers is cancelled.
    queryFn: ({ signal }) => new Promise<string>((_, reject) => signal.addEventListener('abort', reject)),
    staleTime: Infinity,
  });
  const unsubscribe = list.subscribe(() => undefined);
  void list.refetch();
  refetchStale(queryClient, { queryKey: ['threats'] });
  unsubscribe();
  await vi.waitFor(() =>
    expect(queryClient.getQueryState(['threats', 'list'])).toMatchObject({
      fetchStatus: 'idle',
      isInvalidated: true,
    }),
  );
});

test('a failed query is fetched again, unless failed queries are excepted', async () => {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const queryFn = vi.fn<() => Promise<string>>().mockRejectedValue(new Error('away'));
  const list = new QueryObserver(queryClient, { queryKey: ['threats', 'list'], queryFn });
  const unsubscribe = list.subscribe(() => undefined);
  await vi.waitFor(() => expect(list.getCurrentResult().isError).toBe(true));
  refetchStale(queryClient, { exceptFailed: true });
  expect(list.getCurrentResult().isError).toBe(true);
  expect(queryFn).toHaveBeenCalledTimes(1);
  refetchStale(queryClient);
  await vi.waitFor(() => expect(queryFn).toHaveBeenCalledTimes(2));
  unsubscribe();
});

test('a look-up in the CWE catalogue is repeated only when the catalogue changes', async () => {
  const queryClient = new QueryClient();
  const queryFn = vi.fn<() => Promise<string>>().mockResolvedValue('Out-of-bounds Write');
  const weakness = new QueryObserver(queryClient, { queryKey: ['cwe', 'CWE-787'], queryFn });
  const unsubscribe = weakness.subscribe(() => undefined);
  refetchStale(queryClient);
  await vi.waitFor(() => expect(weakness.getCurrentResult().data).toBe('Out-of-bounds Write'));
  refetchStale(queryClient);
  await Promise.resolve();
  expect(queryFn).toHaveBeenCalledTimes(1);
  refetchStale(queryClient, { queryKey: ['cwe'] });
  await vi.waitFor(() => expect(queryFn).toHaveBeenCalledTimes(2));
  unsubscribe();
});

type EventType = Parameters<ReturnType<typeof createStaleMarker>['mark']>[0];

const records = ['vulnerability.changed', 'threat.changed', 'asset.changed', 'project.changed'] as const;
const ofVulnerabilities = [
  'vulnerability.changed',
  'asset.changed',
  'vignette.changed',
  'catalogue.changed',
  'overview.changed',
] as const;
const ofThreats = ['threat.changed', 'asset.changed', 'overview.changed'] as const;
const ofVignettes = ['vulnerability.changed', 'vignette.changed', 'catalogue.changed'] as const;

/** Events after which a query may have another reply, by the start of its key; the longest start counts. */
const refreshedBy: Record<string, readonly EventType[]> = {
  accounts: ['organization.changed'],
  activity: [
    ...records,
    'job.updated',
    'file.changed',
    'vignette.changed',
    'catalogue.changed',
    'organization.changed',
    'alert.changed',
    'batch.changed',
  ],
  alerts: ['alert.changed', 'organization.changed'],
  assets: [...records, 'overview.changed'],
  batches: ['job.updated', 'file.changed', 'batch.changed'],
  cwe: ['catalogue.changed'],
  imports: ['job.updated'],
  jobs: ['job.updated', 'file.changed'],
  organization: ['organization.changed'],
  overview: [...records, 'metrics.updated', 'overview.changed'],
  projects: [...records, 'overview.changed'],
  reports: ['job.updated', 'file.changed', 'vulnerability.changed', 'threat.changed'],
  'risk-report': ['project.changed'],
  search: [...records, 'file.changed', 'vignette.changed'],
  threats: ofThreats,
  'threats graph': [...ofThreats, 'vulnerability.changed', 'file.changed'],
  'threats related': [...ofThreats, 'vulnerability.changed', 'file.changed'],
  'threats suggestions': [...ofThreats, 'project.changed'],
  vignettes: ofVignettes,
  'vignettes preview': [...ofVignettes, 'asset.changed'],
  vulnerabilities: ofVulnerabilities,
  'vulnerabilities graph': [...ofVulnerabilities, 'threat.changed', 'file.changed'],
  'vulnerabilities related': [...ofVulnerabilities, 'threat.changed', 'file.changed'],
  'vulnerabilities suggestions': [...ofVulnerabilities, 'project.changed'],
  weaknesses: ['vulnerability.changed', 'catalogue.changed'],
  // No event names what these depend on, or their file says why they are not refreshed.
  cvss: [],
  'import-preview': [],
  'no-facets': [],
  'report-counts': [],
  'report-jobs': [],
  'upload-preview': [],
  views: [],
  'vignette-file': [],
};

const eventTypes = [...new Set(Object.values(refreshedBy).flat())];

test.each(eventTypes)('%s marks exactly the queries stale that may have another reply', async (type) => {
  vi.useFakeTimers();
  const queryClient = new QueryClient();
  const keys = Object.keys(refreshedBy);
  for (const key of keys) queryClient.setQueryData(key.split(' '), 'shown');
  createStaleMarker(queryClient).mark(type);
  await vi.advanceTimersByTimeAsync(1000);
  const isStale = (key: string) => queryClient.getQueryState(key.split(' '))?.isInvalidated === true;
  expect(keys.filter((key) => isStale(key))).toEqual(keys.filter((key) => refreshedBy[key]?.includes(type)));
  queryClient.clear();
});

test('the table of refreshed queries has every noun of a query key', () => {
  const sources: Record<string, string> = import.meta.glob(
    ['../../**/*.{ts,tsx}', '!../../**/*.test.{ts,tsx}'],
    { query: '?raw', import: 'default', eager: true },
  );
  const nouns = Object.values(sources).flatMap((source) =>
    [...source.matchAll(/(?:queryKey: \[|\broute: .*\n\s*noun: )'([\w-]+)'/gu)].map(([, noun]) => noun ?? ''),
  );
  expect(nouns).toEqual(expect.arrayContaining(['weaknesses', 'activity']));
  expect([...new Set(nouns)].filter((noun) => !(noun in refreshedBy))).toEqual([]);
});
