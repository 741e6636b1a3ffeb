import type { ListField, ServedEndpoint } from '@riskboard/contract';
import { contract } from '@riskboard/contract/schemas';
import { screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, it } from 'vitest';
import { activitySource } from '../../features/activity/activity-source.ts';
import { alertsSource } from '../../features/alerts/inbox/alerts-source.ts';
import { assetsSource } from '../../features/assets/list/asset-source.ts';
import { batchFilesSource } from '../../features/batches/batch-files-source.ts';
import { jobsSource } from '../../features/jobs/jobs-source.ts';
import { projectAssetsSource } from '../../features/projects/detail/project-assets-source.ts';
import { projectsSource } from '../../features/projects/list/projects-source.ts';
import { filesSource } from '../../features/reports/files/files-source.ts';
import { objectsSource } from '../../features/reports/import/objects-source.ts';
import { threatDataSource, threatsSource } from '../../features/threats/list/threat-sources.ts';
import { vignettesSource } from '../../features/vignettes/vignettes-source.ts';
import {
  vulnerabilitiesSource,
  vulnerabilityDataSource,
} from '../../features/vulnerabilities/list/vulnerability-sources.ts';
import { weaknessesSource } from '../../features/weaknesses/list/weaknesses-source.ts';
import { addressOf } from '../../lib/api/call.ts';
import { filteredFields, filterOf, filterText } from '../../lib/list/list-filter.ts';
import { unusableFilters } from '../../lib/list/link-filters.ts';
import type { AnyListState } from '../../lib/list/list-state.ts';
import { parseSearch } from '../../lib/list/search-string.ts';
import { fakeApi } from '../../testing/fake-api.ts';
import { visit } from '../../testing/render-app.tsx';
import { refusal, server, useServer } from '../../testing/server.ts';
import type { ListSource } from '../../ui/list/define-list-source.ts';

useServer();

const id = '0199f000-0000-7000-8000-000000000001';
const params = { id };
const long = 'a'.repeat(2000);

/** Values as they are typed into an address. */
const values = `log4j N/A null true false [1] {"a":1} "x" a\0b ${id} ${long}
  1 0 -1 1.5 10.0 007 0x10 1e308 1e400 Infinity NaN
  2026-11-01 2026-02-30 0000-01-01 1969-12-31 9999-12-31 2026-11-01T10:00Z
  2026-11-01T24:00:00Z 0001-01-01T00:00:00+14:00 9999-12-31T23:00:00-05:00`
  .split(/\s+/u)
  .concat('');
/** Names that no list has in its address, some of which every object or another call has. */
const unknown = [
  'severty',
  'constructor',
  '__proto__',
  'toString',
  'ids',
  'cursor',
  'total',
  'field',
  'columns',
];

const endpoints: ServedEndpoint[] = Object.values(contract).flatMap((table) => Object.values(table));

/** Why the API refuses a call; undefined for one that it accepts. */
function refusalOf(endpoint: ServedEndpoint | undefined, search: URLSearchParams): string | undefined {
  const query: Record<string, unknown> = {};
  for (const name of search.keys()) {
    const given = search.getAll(name);
    query[name] = given.length === 1 ? given[0] : given;
  }
  if (`${search}`.includes('%00')) return 'Text must not contain NUL characters.';
  return endpoint?.query?.safeParse(query).error?.message;
}

const sources = [
  activitySource,
  alertsSource,
  assetsSource,
  batchFilesSource,
  filesSource,
  jobsSource,
  objectsSource,
  projectAssetsSource(id),
  projectsSource,
  threatDataSource,
  threatsSource,
  vignettesSource,
  vulnerabilitiesSource,
  vulnerabilityDataSource,
  weaknessesSource,
] as unknown as ListSource<object, AnyListState, unknown>[];

/** The state of a list at an address, as the router merges it. */
function stateAt({ schema }: (typeof sources)[number], address: string): AnyListState {
  const raw = parseSearch(address);
  return { ...raw, ...schema['~standard'].validate(raw).value };
}

/** The text of a filter's chip. */
const labelOf = ({ fields }: (typeof sources)[number], name: string, state: AnyListState) =>
  filterText(name, fields[name] as ListField, {
    filter: filterOf(state, name),
    labelOf: (_, value) => value,
  });

it.each(sources.map((source) => [source.route, source] as const))(
  'the list of %s sends no call that is refused for any address',
  (_, source) => {
    const { fields, schema } = source;
    const ofFields = Object.keys(fields).flatMap((name) => [name, `${name}Min`, `${name}Max`]);
    const [, , path] = source.query(source.initial, params).queryKey;
    const endpoint = endpoints.find((one) => one.method === 'GET' && addressOf(one, { params }) === path);
    if (endpoint?.query === undefined) throw new Error(`${String(path)} is no list of the contract.`);
    const problems: string[] = [];

    for (const name of new Set([...schema.names, ...ofFields, ...unknown])) {
      for (const value of values) {
        const once = `${name}=${encodeURIComponent(value)}`;
        for (const address of [`?${once}`, `?${once}&${once}`, `?${once}&${name}=log4j&${name}=1`]) {
          const state = stateAt(source, address);
          const [, , , query] = source.query(state, params).queryKey;
          const { searchParams } = new URL(
            addressOf(endpoint, { query: query as Record<string, unknown> }),
            'http://localhost',
          );
          const problem = refusalOf(endpoint, searchParams);
          if (problem !== undefined) problems.push(`${address}: ${problem}`);
          for (const field of filteredFields(fields, state)) labelOf(source, field, state);
          const isUnknown = !schema.names.includes(name) && value !== '';
          if (isUnknown && unusableFilters(source, parseSearch(address)).length !== 1)
            problems.push(`${address}: it is not counted.`);
        }
      }
    }
    expect(problems).toEqual([]);
  },
);

/** The reply of every list. */
const emptyReply = {
  projects: [],
  assets: [],
  threats: [],
  vulnerabilities: [],
  files: [],
  jobs: [],
  items: [],
  activity: [],
  searchedSince: null,
  alerts: [],
  total: 0,
  page: 1,
  pageSize: 10,
  nextCursor: null,
};

/** Answers each call to a list with no rows, unless the API refuses it. */
function answerLists() {
  const refused: string[] = [];
  const searched: (string | null)[] = [];
  server.use(http.get('*/api/*', () => refusal('not_found')));
  fakeApi();
  server.use(
    http.get('*/api/*', ({ request }) => {
      const { pathname, searchParams } = new URL(request.url);
      const endpoint = endpoints.find((one) => one.method === 'GET' && one.path === pathname);
      const problem = refusalOf(endpoint, searchParams);
      if (problem !== undefined) {
        refused.push(`${request.url}: ${problem}`);
        return refusal('invalid');
      }
      if (!searchParams.has('sort')) return undefined;
      searched.push(searchParams.get('search'));
      return HttpResponse.json(emptyReply);
    }),
  );
  return { refused, searched };
}

it.each([
  ['/dashboard', 'name'],
  ['/dashboard/assets', 'name'],
  ['/dashboard/threats', 'name'],
  ['/dashboard/vulnerabilities', 'name'],
  ['/dashboard/reports', 'originalFilename'],
  ['/dashboard/reports/threats', 'name'],
  ['/dashboard/reports/vulnerabilities', 'name'],
  ['/dashboard/reports/vignettes', 'name'],
  ['/dashboard/jobs', 'fileName'],
  ['/dashboard/activity', 'name'],
  ['/dashboard/alerts', 'title'],
  ['/dashboard/weaknesses', 'Name'],
])('%s leaves out parameters that it cannot use, and says how many', async (page, column) => {
  const { refused, searched } = answerLists();
  visit(`${page}?${column}=log4j&severty=x&constructor=x&statusMin=[1]&page=x&sort=null&search=10.0`);
  expect(await screen.findByText('4 filters of this link are not known and were left out.')).toBeDefined();
  await waitFor(() => expect(searched).toContain('10.0'));
  expect(refused).toEqual([]);
});

it('a followed link with parameters that a list cannot use leads to the list without them', async () => {
  const { refused, searched } = answerLists();
  const { router } = visit('/dashboard/threats');
  await screen.findByRole('heading', { name: 'Threats' });
  router.history.push('/dashboard/vulnerabilities?name=log4j&statusMin=1&search=007');
  expect(await screen.findByText('2 filters of this link are not known and were left out.')).toBeDefined();
  await waitFor(() => expect(searched).toContain('007'));
  expect(refused).toEqual([]);
});
