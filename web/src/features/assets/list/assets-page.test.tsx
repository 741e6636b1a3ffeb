import { assets, projects, views, type Asset, type SavedView } from '@riskboard/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { fakeApi, pageOf } from '../../../testing/fake-api.ts';
import { assetDetailOf, assetOf } from '../../../testing/records.ts';
import { visit } from '../../../testing/render-app.tsx';
import { newId, projectOf } from '../../../testing/rows.ts';
import { stateOfCheckbox } from '../../../testing/checkbox.ts';
import { answer, refusal, server, useServer } from '../../../testing/server.ts';

useServer();

let rows: Asset[];
let queries: URLSearchParams[];
beforeEach(() => {
  fakeApi();
  rows = [];
  queries = [];
  server.use(
    answer(assets.metrics, () => ({
      total: 39,
      atRisk: 11,
      criticality: 22,
      confidentiality: 9,
      integrity: 17,
    })),
    answer(assets.list, ({ request }) => {
      const url = new URL(request.url);
      queries.push(url.searchParams);
      const { rows: shown, ...page } = pageOf(rows, url);
      return { assets: shown, skipped: 0, ...page };
    }),
  );
});

const rowOf = async (name: string): Promise<HTMLTableRowElement> =>
  (await screen.findByRole('checkbox', { name: `Select ${name}` })).closest('tr') as HTMLTableRowElement;

describe('the list of assets (spec 2, Assets table)', () => {
  it('has the columns of the spec in their order, with the highest risk score first', async () => {
    rows = [
      assetOf({
        name: 'Mail gateway',
        criticality: 4,
        confidentialityLevel: 5,
        integrityLevel: 4,
        availabilityLevel: null,
        riskScore: 7,
        health: 'Warning',
        threatCount: 1200,
        vulnerabilityCount: 3,
      }),
    ];
    visit('/dashboard/assets');
    const row = await rowOf('Mail gateway');
    expect(
      screen
        .getAllByRole('columnheader')
        .slice(1)
        .map((head) => head.textContent),
    ).toEqual(['Name', 'Type', 'Criticality', 'CIA', 'Risk Score', 'Health', 'Threats/Vulns', 'Created']);
    expect([...row.cells].slice(1).map((cell) => cell.textContent)).toEqual([
      'Mail gatewayPerimeter',
      'Network',
      'High',
      'Confidentiality: 5 of 5, Top Secret; Integrity: 4 of 4, Critical; Availability: not setC5I4A–',
      '7.0 High Risk: explain the risk score of Mail gateway',
      'Warning',
      '1,200 / 3',
      'Nov 20, 2026',
    ]);
    expect(queries.map((query) => query.get('sort'))).toContain('-riskScore');
    expect(within(row).getByRole('link', { name: 'Mail gateway' }).getAttribute('href')).toBe(
      `/dashboard/assets/${rows[0]?._id}`,
    );
  });

  it.each([
    [2.9, '2.9 Low Risk'],
    [3, '3.0 Medium Risk'],
    [6.9, '6.9 Medium Risk'],
    [7, '7.0 High Risk'],
  ])('shows a risk score of %d as %s (spec 9)', async (riskScore, text) => {
    rows = [assetOf({ name: 'One', riskScore })];
    visit('/dashboard/assets');
    expect(within(await rowOf('One')).getByText(text)).toBeDefined();
  });

  it('opens filtered by the link of the overview, and names the project of a filter', async () => {
    const projectId = newId();
    rows = [assetOf({ projectId, projectName: 'Perimeter' })];
    const { user } = visit(`/dashboard/assets?status=at-risk&projectId=${projectId}`);
    const chips = within(await screen.findByRole('region', { name: 'Active filters' }));
    await chips.findByRole('button', { name: 'Status: At risk' });
    await chips.findByRole('button', { name: 'Project: Perimeter' });
    expect(
      queries.some((query) => query.get('status') === 'at-risk' && query.get('projectId') === projectId),
    ).toBe(true);
    queries = [];
    await user.click(chips.getByRole('button', { name: 'Clear all' }));
    await waitFor(() => expect(queries.map((query) => query.has('status'))).toContain(false));
  });

  it('loads the name of the project of a filter that no row has', async () => {
    const project = projectOf({ name: 'Quay' });
    server.use(answer(projects.get, () => project));
    visit(`/dashboard/assets?projectId=${project._id}`);
    expect(await screen.findByRole('button', { name: 'Project: Quay' })).toBeDefined();
  });

  it('names the other projects of a filter when one of them was deleted', async () => {
    const project = projectOf({ name: 'Quay' });
    server.use(
      answer(projects.get, ({ params }) => (params['id'] === project._id ? project : refusal('not_found'))),
    );
    visit(`/dashboard/assets?projectId=${newId()}&projectId=${project._id}`);
    expect(await screen.findByRole('button', { name: 'Project: Deleted project, Quay' })).toBeDefined();
  });

  it("shows 'No assets found.' for an empty list and 'Failed to load assets.' when loading fails", async () => {
    visit('/dashboard/assets');
    expect(await screen.findByText('No assets found.')).toBeDefined();
    server.use(answer(assets.list, () => refusal('internal')));
    visit('/dashboard/assets?search=x');
    expect(await screen.findByText('Failed to load assets.')).toBeDefined();
  });

  it('opens a row beside the list, with costs and levels out of their maximum', async () => {
    const detail = assetDetailOf({
      name: 'Mail gateway',
      replacementCost: 1_250_000,
      recoveryCost: 30_000,
      confidentialityLevel: 4,
    });
    rows = [assetOf({ _id: detail._id, name: detail.name })];
    server.use(answer(assets.get, () => detail));
    visit(`/dashboard/assets?peek=${detail._id}`);
    const pane = within(await screen.findByRole('complementary', { name: 'Mail gateway' }));
    expect(await pane.findByText('4 / 5, Restricted')).toBeDefined();
    expect(pane.getByText('$1.3M')).toBeDefined();
    expect(pane.getByText('$30K')).toBeDefined();
  });
});

describe('Back to the list of assets', () => {
  const view: SavedView = {
    _id: newId(),
    list: '/dashboard/assets',
    name: 'By name',
    search: { sort: 'name', columns: ['name', 'riskScore', 'actions'] },
    isDefault: false,
    own: true,
    owner: 'Ada',
    createdAt: '2026-11-21T00:00:00.000Z',
  };

  it('restores the selected rows and an unsaved column of a view; a new visit has neither', async () => {
    rows = Array.from({ length: 12 }, (_, n) => assetOf({ name: `Asset ${n + 1}` }));
    server.use(
      answer(views.list, () => ({ views: [view] })),
      answer(assets.get, () => refusal('not_found')),
    );
    const { user, router } = visit(`/dashboard/assets?view=${view._id}`);
    await user.click(within(await rowOf('Asset 1')).getByRole('checkbox'));
    await user.click(screen.getByRole('button', { name: 'Page 2' }));
    await user.click(within(await rowOf('Asset 11')).getByRole('checkbox'));
    await user.click(screen.getByRole('button', { name: /^Columns/u }));
    await user.click(await screen.findByRole('checkbox', { name: 'Health' }));
    await user.keyboard('{Escape}');
    await screen.findByRole('button', { name: 'View: By name, changed' });
    await user.click(screen.getByRole('link', { name: 'Asset 12' }));
    await screen.findByText('Asset not found.');

    act(() => router.history.back());
    await screen.findByText('2 selected');
    await screen.findByRole('button', { name: 'View: By name, changed' });
    screen.getByRole('columnheader', { name: /^Health/u });

    await user.click(await screen.findByRole('link', { name: 'Asset 12' }));
    await screen.findByText('Asset not found.');
    await user.click(screen.getByRole('link', { name: 'All assets' }));
    await rowOf('Asset 1');
    expect(screen.queryByText('2 selected')).toBeNull();
  });
});

describe('the metric cards of assets', () => {
  it('show their counts and lead to exactly the assets that they count', async () => {
    const { user, router } = visit('/dashboard/assets');
    const cards = within(await screen.findByRole('region', { name: 'Asset metrics' }));
    for (const [name, search] of [
      [/^Total\s*39\s*Assets of all projects$/u, {}],
      [/^At Risk\s*11\s*Critical or score from 7$/u, { status: 'at-risk' }],
      [/^High Criticality\s*22\s*Level 4 or more$/u, { criticalityMin: 4 }],
      [/^High Confidentiality\s*9\s*Level 4 or more$/u, { confidentialityLevelMin: 4 }],
      [/^High Integrity\s*17\s*Level 4 or more$/u, { integrityLevelMin: 4 }],
    ] as const) {
      await user.click(await cards.findByRole('link', { name }));
      await waitFor(() => expect(router.state.location.search).toEqual(search));
    }
  });

  it('have the total as the current one also where the address asks for the whole list', async () => {
    visit('/dashboard/assets?view=none');
    const cards = within(await screen.findByRole('region', { name: 'Asset metrics' }));
    const total = await cards.findByRole('link', { name: /^Total/u });
    expect(total.getAttribute('aria-current')).toBe('page');
    expect(cards.getByRole('link', { name: /^At Risk/u }).getAttribute('aria-current')).toBeNull();
  });

  it('show an error of their own while the list works', async () => {
    server.use(answer(assets.metrics, () => refusal('internal')));
    visit('/dashboard/assets');
    expect(await screen.findByText('Failed to load metrics')).toBeDefined();
    expect(await screen.findByText('No assets found.')).toBeDefined();
  });
});

describe('editing assets in the list', () => {
  it('changes the criticality in its cell, with the version of the row', async () => {
    const sent: [string | null, unknown][] = [];
    rows = [assetOf({ name: 'Mail gateway', criticality: 4, version: 3 })];
    server.use(
      answer(assets.update, async ({ request }) => {
        sent.push([request.headers.get('if-match'), await request.json()]);
        return assetDetailOf({ ...rows[0], criticality: 5, version: 4 });
      }),
    );
    const { user } = visit('/dashboard/assets');
    await user.click(within(await rowOf('Mail gateway')).getByRole('button', { name: 'High' }));
    await user.click(await screen.findByRole('menuitemradio', { name: 'Very High' }));
    await waitFor(() => expect(sent).toEqual([['"3"', { criticality: 5 }]]));
  });

  /** Opens the bulk edit of two assets, with one project to choose; the bodies of its calls are recorded. */
  async function editBoth() {
    const project = projectOf({ name: 'Quay' });
    const sent: unknown[] = [];
    rows = [assetOf({ name: 'One' }), assetOf({ name: 'Two' })];
    server.use(
      answer(projects.names, () => ({ projects: [project], total: 1 })),
      answer(assets.updateMany, async ({ request }) => {
        sent.push(await request.json());
        return { success: true as const, updatedCount: 2, unchangedCount: 0, message: '2 assets changed.' };
      }),
    );
    const { user } = visit('/dashboard/assets');
    for (const name of ['One', 'Two'])
      await user.click(await screen.findByRole('checkbox', { name: `Select ${name}` }));
    await user.click(await screen.findByRole('button', { name: 'Edit Selected (2)' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit 2 assets' }));
    return { user, dialog, project, sent };
  }

  it('sets type, levels, project and state of the selected assets, and offers no relations', async () => {
    const { user, dialog, project, sent } = await editBoth();
    await waitFor(() => expect(dialog.getAllByRole('combobox')).toHaveLength(7));
    expect(dialog.queryByText(/related assets/iu)).toBeNull();
    for (const [name, option] of [
      ['Criticality', 'Very High'],
      ['Integrity', 'Not set'],
      ['State', 'Inactive'],
    ] as const) {
      await user.click(dialog.getByRole('combobox', { name }));
      await user.click(await screen.findByRole('option', { name: option }));
    }
    await user.click(await dialog.findByRole('combobox', { name: 'Project' }));
    await user.click(await screen.findByRole('option', { name: 'Quay' }));
    await user.click(dialog.getByRole('button', { name: 'Change 2 assets' }));
    await waitFor(() =>
      expect(sent).toEqual([
        {
          ids: rows.map(({ _id }) => _id),
          change: { criticality: 5, integrityLevel: '', isActive: false, projectId: project._id },
        },
      ]),
    );
  });

  it('a chosen project of a bulk edit can be set back to no change', async () => {
    const { user, dialog } = await editBoth();
    const field = await dialog.findByRole('combobox', { name: 'Project' });
    await user.click(field);
    await user.click(await screen.findByRole('option', { name: 'Quay' }));
    await user.click(dialog.getByRole('button', { name: 'Remove the project' }));
    expect(field).toHaveProperty('value', '');
    await dialog.findByText('Choose what to change first.');
  });
});

it('the filter of a level shows the range of a card as levels, and a ticked one replaces the range', async () => {
  server.use(answer(assets.facets, () => ({ facets: { criticality: { values: [], more: false } } })));
  const { user, router } = visit('/dashboard/assets?criticalityMin=4');
  await user.click(await screen.findByRole('button', { name: 'Criticality: from 4' }));
  const levels = within(await screen.findByRole('list', { name: 'Values of Criticality' }));
  const ticked = () =>
    levels
      .getAllByRole('checkbox')
      .filter((box) => stateOfCheckbox(box) === 'checked')
      .map((box) => box.closest('li')?.textContent);
  await waitFor(() => expect(ticked()).toEqual(['High0', 'Very High0']));
  await user.click(levels.getByRole('checkbox', { name: 'Medium' }));
  await waitFor(() => expect(router.state.location.search).toEqual({ criticality: [4, 5, 3] }));
  await screen.findByRole('button', { name: /^Criticality: /u });
  expect(screen.queryByRole('button', { name: /Criticality: from/u })).toBeNull();
});
