import {
  assets,
  projects,
  reports,
  threats,
  views,
  vulnerabilities,
  type SavedView,
} from '@riskboard/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { fakeApi, pageOf } from '../../testing/fake-api.ts';
import { assetDetailOf } from '../../testing/records.ts';
import { importReportOf, newId, projectOf, threatOf, vulnerabilityOf } from '../../testing/rows.ts';
import { answer, refusal, server, useServer } from '../../testing/server.ts';
import { visit } from '../../testing/render-app.tsx';

useServer();

beforeEach(() => {
  fakeApi();
  server.use(
    answer(vulnerabilities.metrics, () => ({
      total: 40,
      open: 30,
      critical: 7,
      high: 11,
      fixed: 4,
      new: 5,
      averageCvss: 7.25,
    })),
    answer(threats.metrics, () => ({ total: 50, active: 42, critical: 6, high: 13 })),
  );
});

/** The row of a record, by the box that selects it. */
async function rowOf(name: string): Promise<HTMLElement> {
  const row = (await screen.findByRole('checkbox', { name: `Select ${name}` })).closest('tr');
  if (row === null) throw new Error('The checkbox is in no row.');
  return row;
}

/** Sort direction in the header of a column. */
const sortOf = (column: string) =>
  screen
    .getAllByRole('columnheader')
    .find((one) => one.textContent === column)
    ?.getAttribute('aria-sort');

/** Spec 2: columns in their order; spec 8: texts. */
const lists = [
  {
    address: '/dashboard/vulnerabilities',
    endpoint: vulnerabilities.list,
    key: 'vulnerabilities',
    imported: null,
    row: vulnerabilityOf({ name: 'Log4Shell', categoryId: 1, discoveryDate: '2026-05-04' }),
    columns: ['Name', 'Category', 'Severity', 'Status', 'CVSS', 'Discovery Date', 'Actions'],
    shown: [
      'Log4ShellCVE-2021-44228',
      'Input Validation',
      '10.0 Critical',
      'Open',
      '10.0 Critical',
      'May 4, 2026',
      '',
    ],
    sorted: { column: 'Severity', sort: '-severity' },
    empty: 'No vulnerabilities found.',
    failure: 'Failed to load vulnerabilities.',
  },
  {
    address: '/dashboard/reports/vulnerabilities',
    endpoint: vulnerabilities.list,
    key: 'vulnerabilities',
    imported: 'true',
    row: vulnerabilityOf({
      name: 'Unscored',
      cveId: '',
      cwe: ['CWE-79', 'CWE-80'],
      cvssScore: null,
      withdrawn: 'revoked',
    }),
    columns: [
      'Source File',
      'Name',
      'CVE',
      'CWE',
      'CVSS',
      'CWSS',
      'Applied Vignette',
      'Created At',
      'Actions',
    ],
    shown: ['report.json', 'UnscoredRevoked', 'N/A', 'CWE-79+1', 'N/A', 'N/A', 'N/A', 'Nov 20, 2026', ''],
    sorted: { column: 'CVSS', sort: '-cvssScore' },
    empty: 'No vulnerabilities found',
    failure: 'Failed to load vulnerabilities.',
  },
  {
    address: '/dashboard/threats',
    endpoint: threats.list,
    key: 'threats',
    imported: null,
    row: threatOf({ name: 'Emotet', motivation: 3, capability: 2, impact: 5, riskLevel: 61 }),
    columns: ['Name', 'Type', 'Motivation', 'Capability', 'Impact', 'Risk Level', 'Created'],
    shown: ['EmotetS0367 · malware', 'Malware', 'High', 'Medium', 'Very High', '61 High', 'Nov 20, 2026'],
    sorted: { column: 'Risk Level', sort: '-riskLevel' },
    empty: 'No threats found.',
    failure: 'Failed to load threats.',
  },
  {
    address: '/dashboard/reports/threats',
    endpoint: threats.list,
    key: 'threats',
    imported: 'true',
    row: threatOf({ name: 'Emotet', threatID: '' }),
    columns: ['Source File', 'Name', 'Threat ID', 'Created At', 'Actions'],
    shown: ['report.json', 'Emotetmalware', 'N/A', 'Nov 20, 2026', ''],
    sorted: { column: 'Created At', sort: '-createdAt' },
    empty: 'No threat data found.',
    failure: 'Failed to load threat data.',
  },
] as const;

describe.each(lists)(
  'list at $address',
  ({ address, endpoint, key, imported, row, columns, shown, sorted, ...says }) => {
    /** Answers the list with these rows, and records the requests. */
    function answerList(rows: readonly object[]) {
      const requests: URL[] = [];
      server.use(
        answer(endpoint, ({ url }) => {
          requests.push(url);
          const { rows: found, ...page } = pageOf(rows, url);
          return { [key]: found, ...page, nextCursor: null } as never;
        }),
      );
      return requests;
    }

    it('has the columns of the spec in order and shows N/A for empty values', async () => {
      const requests = answerList([row]);
      visit(address);
      const texts = [...(await rowOf(row.name)).children].slice(1).map((cell) => cell.textContent);
      expect(texts).toEqual(shown);
      const heads = screen.getAllByRole('columnheader').slice(1);
      expect(heads.map((head) => head.textContent)).toEqual(columns);
      expect(requests[0]?.searchParams.get('imported')).toBe(imported);
      expect(requests[0]?.searchParams.get('pageSize')).toBe('10');
    });

    it('opens a row in the pane of its record beside the list', async () => {
      answerList([row]);
      server.use(answer({ threats, vulnerabilities }[key].get, () => refusal('unavailable')));
      const { user, router } = visit(address);
      await user.click(await rowOf(row.name));
      const pane = within(await screen.findByRole('complementary', { name: row.name }));
      const page = pane.getByRole('link', { name: 'Open full page' });
      expect(page.getAttribute('href')).toBe(`/dashboard/${key}/${row._id}`);
      expect(router.state.location).toMatchObject({ pathname: address, search: { peek: row._id } });
    });

    it('shows the message and the first action for an empty list, without the toolbar', async () => {
      answerList([]);
      visit(address);
      expect((await screen.findByText(says.empty)).textContent).toBe(says.empty);
      expect(screen.getByRole('button', { name: 'Upload STIX/TAXII' })).toBeDefined();
      expect(screen.queryByRole('searchbox')).toBeNull();
    });

    it('shows an error with Retry when it cannot be loaded', async () => {
      server.use(answer(endpoint, () => refusal('unavailable')));
      const { user, connected } = visit(address);
      await connected();
      const alert = within(await screen.findByRole('alert'));
      alert.getByText(says.failure);
      answerList([row]);
      await user.click(alert.getByRole('button', { name: 'Retry' }));
      expect(await rowOf(row.name)).toBeDefined();
    });

    it('filters by one file until its chip is removed', async () => {
      const fileId = newId();
      const requests = answerList([row]);
      server.use(
        answer(reports.importReport, () => importReportOf({ fileId, originalFilename: 'apt29.json' })),
      );
      const { user, router } = visit(`${address}?fileId=${fileId}&page=2`);
      await waitFor(() =>
        expect(requests.map(({ searchParams }) => searchParams.get('fileId'))).toContain(fileId),
      );
      await user.click(await screen.findByRole('button', { name: 'Remove filter File: apt29.json' }));
      await waitFor(() => expect(router.state.location.search).toEqual({}));
      await waitFor(() => expect(requests.at(-1)?.searchParams.has('fileId')).toBe(false));
    });

    it('is sorted by its default with the column marked, also without a sort in the URL', async () => {
      const requests = answerList([row]);
      visit(address);
      await rowOf(row.name);
      expect(requests[0]?.searchParams.get('sort')).toBe(sorted.sort);
      expect(sortOf(sorted.column)).toBe('descending');
    });

    it('sorts by every column except the actions', { timeout: 20_000 }, async () => {
      const requests = answerList([row]);
      const { user } = visit(address);
      await rowOf(row.name);
      for (const column of columns.filter((name) => name !== 'Actions')) {
        const before = sortOf(column);
        await user.click(screen.getByRole('button', { name: column }));
        await waitFor(() => expect(sortOf(column)).not.toBe(before));
        expect(sortOf(column)).toMatch(/^(ascending|descending)$/u);
      }
      expect(new Set(requests.map(({ searchParams }) => searchParams.get('sort'))).size).toBeGreaterThan(3);
    });
  },
);

describe('a link with filters that are not known', () => {
  const one = '1 filter of this link is not known and was left out.';
  const two = '2 filters of this link are not known and were left out.';

  it.each([
    ['/dashboard/vulnerabilities?severity=bogus', one],
    ['/dashboard/vulnerabilities?severity=bogus&cvssScoreMin=abc&status=open', two],
    ['/dashboard/threats?risk=bogus', one],
  ])('of %s says so', async (address, text) => {
    visit(address);
    expect(await screen.findByText(text)).toBeDefined();
  });

  it('says so until the filters are changed', async () => {
    const { user } = visit('/dashboard/vulnerabilities?severity=bogus&status=open');
    await screen.findByText(one);
    await user.click(await screen.findByRole('button', { name: 'Remove filter Status: Open' }));
    await waitFor(() => expect(screen.queryByText(one)).toBeNull());
  });

  it('says so when it is followed within the app, as after the login', async () => {
    const { router } = visit('/dashboard/threats');
    await screen.findByRole('heading', { name: 'Threats' });
    router.history.push('/dashboard/vulnerabilities?severity=bogus');
    expect(await screen.findByText(one)).toBeDefined();
    router.history.push('/dashboard/vulnerabilities?severity=high');
    await waitFor(() => expect(screen.queryByText(one)).toBeNull());
  });
});

it('a saved view that names no sort keeps the newest first, regardless of the default sort of the page', async () => {
  const saved: SavedView = {
    _id: newId(),
    list: '/dashboard/vulnerabilities',
    name: 'Of one library',
    search: { search: 'log4j' },
    isDefault: false,
    own: true,
    owner: 'Ada',
    createdAt: '2026-11-21T00:00:00.000Z',
  };
  const requests: URL[] = [];
  server.use(
    answer(views.list, () => ({ views: [saved] })),
    answer(vulnerabilities.list, ({ url }) => {
      requests.push(url);
      return { vulnerabilities: [vulnerabilityOf()], total: 1, page: 1, pageSize: 10, nextCursor: null };
    }),
  );
  const { router } = visit(`/dashboard/vulnerabilities?view=${saved._id}`);
  await waitFor(() => expect(router.state.location.search).toMatchObject({ search: 'log4j' }));
  const sortsOfView = () =>
    requests.flatMap(({ searchParams }) =>
      searchParams.get('search') === 'log4j' ? [searchParams.get('sort')] : [],
    );
  await waitFor(() => expect(sortsOfView()).toEqual(['-createdAt']));
  expect(sortOf('Severity')).toBe('none');
});

/** Spec 2: the overview's filter links. */
const links = [
  {
    address: '/dashboard/vulnerabilities?severity=critical',
    name: 'severity',
    value: 'critical',
    chip: 'Severity: Critical',
  },
  { address: '/dashboard/vulnerabilities?status=new', name: 'status', value: 'new', chip: 'Status: New' },
  { address: '/dashboard/threats?risk=high', name: 'risk', value: 'high', chip: 'Risk: High' },
] as const;

describe.each(links)('filter link $address', ({ address, name, value, chip }) => {
  it('filters the list and shows the filter as a chip', async () => {
    const requests: URL[] = [];
    const page = { total: 0, page: 1, pageSize: 10, nextCursor: null };
    server.use(
      answer(vulnerabilities.list, ({ url }) => {
        requests.push(url);
        return { vulnerabilities: [], ...page };
      }),
      answer(threats.list, ({ url }) => {
        requests.push(url);
        return { threats: [], ...page };
      }),
    );
    const { user } = visit(address);
    const active = within(await screen.findByRole('region', { name: 'Active filters' }));
    await waitFor(() => expect(requests.map(({ searchParams }) => searchParams.get(name))).toContain(value));
    await user.click(active.getByRole('button', { name: `Remove filter ${chip}` }));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Active filters' })).toBeNull());
  });
});

/** Spec 9: the thresholds of the metric cards. */
const cards = [
  {
    address: '/dashboard/vulnerabilities',
    metrics: 'Vulnerability metrics',
    names: [
      /^Total\s*40\s*Mean CVSS 7\.3$/u,
      /^Open\s*30\s*5 new · 4 fixed$/u,
      /^Critical\s*7\s*Severity above 8$/u,
      /^High\s*11\s*Severity above 6, up to 8$/u,
    ],
    endpoint: vulnerabilities.metrics,
    card: /^High\s*11/u,
    search: { severityAbove: 6, severityMax: 8 },
  },
  {
    address: '/dashboard/threats',
    metrics: 'Threat metrics',
    names: [
      /^Total\s*50\s*Threats of all kinds$/u,
      /^Active\s*42\s*8 inactive$/u,
      /^Critical Risk\s*6\s*Risk level above 70$/u,
      /^High Risk\s*13\s*Risk level above 40, up to 70$/u,
    ],
    endpoint: threats.metrics,
    card: /^Critical Risk/u,
    search: { riskLevelAbove: 70 },
  },
] as const;

describe.each(cards)('cards $metrics', ({ address, metrics, names, endpoint, card, search }) => {
  beforeEach(() => {
    const page = { total: 0, page: 1, pageSize: 10, nextCursor: null };
    server.use(
      answer(vulnerabilities.list, () => ({ vulnerabilities: [], ...page })),
      answer(threats.list, () => ({ threats: [], ...page })),
    );
  });

  it('show the counts and link to the list filtered by each', async () => {
    const { user, router } = visit(address);
    const region = within(await screen.findByRole('region', { name: metrics }));
    for (const name of names) await region.findByRole('link', { name });
    await user.click(region.getByRole('link', { name: card }));
    await waitFor(() => expect(router.state.location.search).toEqual(search));
  });

  it('show an error of their own while the list works', async () => {
    server.use(answer(endpoint, () => refusal('internal')));
    const { user, connected } = visit(address);
    await connected();
    const alert = await screen.findByText('Failed to load metrics');
    // The list has answered without rows.
    expect(await screen.findByRole('button', { name: 'Upload STIX/TAXII' })).toBeDefined();
    server.use(answer(vulnerabilities.metrics, () => ({ ...noVulnerabilities })));
    server.use(answer(threats.metrics, () => ({ total: 0, active: 0, critical: 0, high: 0 })));
    await user.click(within(alert).getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('region', { name: metrics })).toBeDefined();
  });
});

describe('filters that links of the overview set', () => {
  it.each([
    ['/dashboard/vulnerabilities', 'onAssets=mission-critical', 'Related to a mission-critical asset'],
    ['/dashboard/vulnerabilities', 'onAssets=any', 'Related to an asset'],
    ['/dashboard/vulnerabilities', 'statusChangedAtMin=2026-11-01', 'Status changed: from Nov 1, 2026 (UTC)'],
    [
      '/dashboard/vulnerabilities',
      'severityChangedAtMax=2026-11-02',
      'Severity changed: until Nov 2, 2026 (UTC)',
    ],
    ['/dashboard/threats', 'levelChangedAtMax=2026-11-02', 'Risk level changed: until Nov 2, 2026 (UTC)'],
    ['/dashboard/assets', 'riskChangedAtMin=2026-11-01', 'Risk changed: from Nov 1, 2026 (UTC)'],
    [
      '/dashboard/vulnerabilities',
      'vignetteId=01990000-0000-7000-8000-000000000001',
      'Scored with one vignette',
    ],
    ['/dashboard/vulnerabilities', 'alert=01990000-0000-7000-8000-000000000001', 'Reported by one alert'],
    ['/dashboard/assets', 'threatId=01990000-0000-7000-8000-000000000001', 'Related to one threat'],
    [
      '/dashboard/assets',
      'vulnerabilityId=01990000-0000-7000-8000-000000000001',
      'Related to one vulnerability',
    ],
    ['/dashboard/assets', 'dependsOn=01990000-0000-7000-8000-000000000001', 'Depends on one asset'],
    ['/dashboard/assets', 'alert=01990000-0000-7000-8000-000000000001', 'Reported by one alert'],
  ])('%s?%s shows a chip that removes the filter', async (address, query, chip) => {
    const { user, router } = visit(`${address}?${query}`);
    await user.click(await screen.findByRole('button', { name: `Remove filter ${chip}` }));
    await waitFor(() => expect(router.state.location.search).toEqual({}));
  });
});

describe('filters by one related record', () => {
  const id = newId();

  it.each([
    ['/dashboard/vulnerabilities', 'assetId', 'Asset: Gate kiosk'],
    ['/dashboard/vulnerabilities', 'projectId', 'Project: Harbour renewal'],
    ['/dashboard/threats', 'assetId', 'Asset: Gate kiosk'],
    ['/dashboard/threats', 'projectId', 'Project: Harbour renewal'],
    ['/dashboard/activity', 'projectId', 'Project and its assets: Harbour renewal'],
  ])('%s?%s shows a chip with its name that removes the filter', async (address, name, chip) => {
    server.use(
      answer(assets.get, () => assetDetailOf({ name: 'Gate kiosk' })),
      answer(projects.get, () => projectOf({ name: 'Harbour renewal' })),
    );
    const { user, router } = visit(`${address}?${name}=${id}`);
    await user.click(await screen.findByRole('button', { name: `Remove filter ${chip}` }));
    await waitFor(() => expect(router.state.location.search).toEqual({}));
  });

  it.each([
    ['assetId', 'Asset: Deleted asset'],
    ['projectId', 'Project: Deleted project'],
  ])('the chip of %s says that the record was deleted', async (name, chip) => {
    server.use(
      answer(assets.get, () => refusal('not_found')),
      answer(projects.get, () => refusal('not_found')),
    );
    visit(`/dashboard/vulnerabilities?${name}=${id}`);
    expect(await screen.findByRole('button', { name: `Remove filter ${chip}` })).toBeDefined();
  });
});

const noVulnerabilities = {
  total: 0,
  open: 0,
  critical: 0,
  high: 0,
  fixed: 0,
  new: 0,
  averageCvss: null,
} as const;
