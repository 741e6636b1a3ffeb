import { assets, projects, type AssetDetail } from '@riskboard/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeApi } from '../../../testing/fake-api.ts';
import { assetDetailOf, assetOf } from '../../../testing/records.ts';
import { fill, visit } from '../../../testing/render-app.tsx';
import { projectOf } from '../../../testing/rows.ts';
import { answer, refusal, server, useServer } from '../../../testing/server.ts';

useServer();
// Each step searches the whole page by role, which is slow on a busy machine.
vi.setConfig({ testTimeout: 20_000 });

const page = { page: 1, pageSize: 50, nextCursor: null };
const harbour = projectOf({ name: 'Harbour' });

let sent: { query: string; version: string | null; body: Record<string, unknown> }[];
beforeEach(() => {
  fakeApi();
  sent = [];
  const received = async (request: Request) =>
    void sent.push({
      query: new URL(request.url).search,
      version: request.headers.get('if-match'),
      body: (await request.json()) as Record<string, unknown>,
    });
  server.use(
    answer(projects.get, () => harbour),
    answer(projects.names, () => ({ projects: [harbour], total: 4000 })),
    answer(assets.create, async ({ request }) => {
      await received(request);
      return assetDetailOf({ name: 'Gate server' });
    }),
    answer(assets.update, async ({ request }) => {
      await received(request);
      return assetDetailOf({ version: 2 });
    }),
  );
});

const button = (name: string) => screen.getByRole('button', { name });
const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });

type Visitor = ReturnType<typeof visit>['user'];

async function choose(user: Visitor, name: string, option: string) {
  await user.click(await screen.findByRole('combobox', { name }));
  await user.click(await screen.findByRole('option', { name: option }));
}

describe('the form of a new asset', () => {
  it('asks before input is lost to the form of another project, which has the same path', async () => {
    const { user, router } = visit(`/dashboard/assets/new?projectId=${harbour._id}`);
    await screen.findByRole('heading', { level: 1, name: 'Create New Asset' });
    await waitFor(() =>
      expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Project' }).value).toBe('Harbour'),
    );
    await fill(user, field('Name'), 'Gate server');
    void router.navigate({ to: '/dashboard/assets/new' });
    const question = within(await screen.findByRole('alertdialog', { name: 'Leave without saving?' }));
    await user.click(question.getByRole('button', { name: 'Keep editing' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(field('Name').value).toBe('Gate server');
    expect(router.state.location.search).toEqual({ projectId: harbour._id });
    void router.navigate({ to: '/dashboard/assets/new' });
    await user.click(await screen.findByRole('button', { name: 'Discard' }));
    await waitFor(() => expect(field('Name').value).toBe(''));
  });

  it('takes the project of the address, requires the fields of spec 5, and sends the asset as active', async () => {
    const { user, router } = visit(`/dashboard/assets/new?projectId=${harbour._id}`);
    await screen.findByRole('heading', { level: 1, name: 'Create New Asset' });
    expect(screen.getByText('Required: Name, Description, and Type.')).toBeDefined();
    await waitFor(() =>
      expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Project' }).value).toBe('Harbour'),
    );
    await fill(user, field('Name'), 'Gate server');
    await fill(user, field('Description'), 'Opens and closes.');
    await choose(user, 'Type', 'Hardware');
    await choose(user, 'Criticality', 'Very High');
    await choose(user, 'Confidentiality', 'Top Secret');
    await choose(user, 'Replacement cost', 'Low, $10K-50K');
    await user.click(button('Create'));
    expect(await screen.findByText('Asset created')).toBeDefined();
    expect(router.state.location.pathname).toBe('/dashboard/assets');
    expect(sent).toEqual([
      {
        query: `?projectId=${harbour._id}`,
        version: null,
        body: expect.objectContaining({
          name: 'Gate server',
          description: 'Opens and closes.',
          assetTypeId: 1,
          projectId: harbour._id,
          isActive: true,
          criticality: 5,
          confidentialityLevel: 5,
          integrityLevel: '',
          replacementCost: 30_000,
          recoveryCost: '',
          relatedAssets: [],
        }) as unknown,
      },
    ]);
  });

  it('shows the asset in the list before the server has answered, with the score of its levels', async () => {
    const held = Promise.withResolvers<void>();
    server.use(
      answer(assets.list, () => ({ assets: [], skipped: 0, total: 0, ...page })),
      answer(assets.create, async () => {
        await held.promise;
        return assetDetailOf();
      }),
    );
    const { user } = visit(`/dashboard/assets/new?projectId=${harbour._id}`);
    await fill(user, await screen.findByRole('textbox', { name: 'Name' }), 'Gate server');
    await fill(user, field('Description'), 'Opens and closes.');
    await choose(user, 'Type', 'Hardware');
    await choose(user, 'Criticality', 'Very High');
    await user.click(button('Create'));
    const row = (await screen.findByText('Creating…')).closest('tr');
    expect(row?.textContent).toContain('3.3 Medium Risk');
    expect(row?.textContent).toContain('Healthy');
    held.resolve();
    await waitFor(() => expect(screen.queryByText('Creating…')).toBeNull());
  });

  it('ignores a project in the address that is not an id', async () => {
    visit('/dashboard/assets/new?projectId=x');
    const missing = 'Required: Name, Description, Type, and Project.';
    expect(await screen.findByText(missing)).toBeDefined();
  });

  it('searches the project on the server, among thousands', async () => {
    const searches: (string | null)[] = [];
    server.use(
      answer(projects.names, ({ url }) => {
        searches.push(url.searchParams.get('search'));
        return { projects: [harbour], total: 4000 };
      }),
    );
    const { user } = visit('/dashboard/assets/new');
    const picker = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Project' });
    await user.click(picker);
    await screen.findByText('3,999 more. Type to narrow the list.');
    await user.type(picker, 'harb');
    await waitFor(() => expect(searches).toContain('harb'));
    await user.click(await screen.findByRole('option', { name: 'Harbour' }));
    expect(picker.value).toBe('Harbour');
    expect(screen.getByText('Required: Name, Description, and Type.')).toBeDefined();
  });

  it('starts with the only project, and leaving it does not ask', async () => {
    server.use(answer(projects.names, () => ({ projects: [harbour], total: 1 })));
    const { user, router } = visit('/dashboard/assets/new');
    expect(await screen.findByText('Required: Name, Description, and Type.')).toBeDefined();
    const picker = screen.getByRole<HTMLInputElement>('combobox', { name: 'Project' });
    await waitFor(() => expect(picker.value).toBe('Harbour'));
    await user.click(button('Cancel'));
    await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard/assets'));
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  it('keeps what was entered before the only project was loaded', async () => {
    const held = Promise.withResolvers<void>();
    server.use(
      answer(projects.names, async () => {
        await held.promise;
        return { projects: [harbour], total: 1 };
      }),
    );
    const { user, connected } = visit('/dashboard/assets/new');
    await fill(user, await screen.findByRole('textbox', { name: 'Name' }), 'Gate server');
    held.resolve();
    await connected();
    expect(field('Name').value).toBe('Gate server');
    expect(screen.getByText('Required: Description, Type, and Project.')).toBeDefined();
  });

  it('offers to create a project in a new tab when no project exists, and keeps its input', async () => {
    server.use(answer(projects.names, () => ({ projects: [], total: 0 })));
    const opened = vi.spyOn(window, 'open').mockReturnValue(null);
    const { user, queryClient } = visit('/dashboard/assets/new');
    const name = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Name' });
    await user.type(name, 'Crane');
    const picker = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Project' });
    await user.click(picker);
    await screen.findByText('No projects found.');
    await user.click(await screen.findByRole('option', { name: 'Create a project (opens in a new tab)' }));
    expect(opened.mock.calls).toEqual([['/dashboard/projects/new', '_blank', 'noopener']]);
    expect([name.value, picker.value]).toEqual(['Crane', '']);
    // Created in the other tab, of which a live event says so.
    server.use(answer(projects.names, () => ({ projects: [harbour], total: 1 })));
    await queryClient.invalidateQueries({ queryKey: ['projects'] });
    await user.click(document.body);
    await user.click(picker);
    await user.click(await screen.findByRole('option', { name: 'Harbour' }));
    expect([name.value, picker.value]).toEqual(['Crane', 'Harbour']);
    opened.mockRestore();
  });

  it.each([
    ['Minimal, under $10K', 5000],
    ['Low, $10K-50K', 30_000],
    ['Medium, $50K-250K', 150_000],
    ['High, $250K-1M', 625_000],
    ['Very High, over $1M', 2_000_000],
  ])('sends the cost range %s as %d (spec 3)', async (range, recoveryCost) => {
    const record = assetDetailOf();
    server.use(answer(assets.get, () => record));
    const { user } = visit(`/dashboard/assets/${record._id}/edit`);
    await choose(user, 'Recovery cost', range);
    await user.click(button('Update'));
    await waitFor(() =>
      expect(sent.map(({ body }) => body)).toEqual([expect.objectContaining({ recoveryCost })]),
    );
  });

  it('shows the message of spec 8 when creation fails and keeps the entered values', async () => {
    server.use(answer(assets.create, () => refusal('internal')));
    const { user } = visit(`/dashboard/assets/new?projectId=${harbour._id}`);
    await fill(user, await screen.findByRole('textbox', { name: 'Name' }), 'Gate server');
    await fill(user, field('Description'), 'Opens.');
    await choose(user, 'Type', 'Data');
    await user.click(button('Create'));
    expect(await screen.findByText('Error: Failed to create asset. Please try again.')).toBeDefined();
    expect(field('Name').value).toBe('Gate server');
  });
});

describe('the form of an existing asset', () => {
  function open(change: Partial<AssetDetail> = {}) {
    const record = assetDetailOf(change);
    server.use(answer(assets.get, () => record));
    return { record, ...visit(`/dashboard/assets/${record._id}/edit`) };
  }

  it('keeps an exact amount, and sends with a change the project and the state under the version', async () => {
    const { user, record } = open({ replacementCost: 31_000, isActive: false });
    const amount = await screen.findByRole<HTMLInputElement>('spinbutton', {
      name: 'Replacement cost, exact amount',
    });
    expect(amount.value).toBe('31000');
    expect(screen.getByText('In USD. Shown as $31K.')).toBeDefined();
    expect(screen.getByText('Nothing has changed yet.')).toBeDefined();
    await fill(user, field('Name'), 'Renamed');
    await user.click(button('Update'));
    expect(await screen.findByText('Asset updated')).toBeDefined();
    expect(sent).toEqual([
      {
        query: '',
        version: '"1"',
        body: { name: 'Renamed', projectId: record.projectId, isActive: false },
      },
    ]);
  });

  it('lets an exact amount be typed that is that of a range for a moment, and a range replace it', async () => {
    const { user } = open({ recoveryCost: null });
    await choose(user, 'Recovery cost', 'Exact amount');
    const amount = await screen.findByRole<HTMLInputElement>('spinbutton', {
      name: 'Recovery cost, exact amount',
    });
    for (const text of ['5000', '50000']) {
      await fill(user, amount, text);
      expect(amount.isConnected).toBe(true);
    }
    await choose(user, 'Recovery cost', 'Minimal, under $10K');
    expect(screen.queryByRole('spinbutton', { name: 'Recovery cost, exact amount' })).toBeNull();
    await user.click(button('Update'));
    await waitFor(() => expect(sent[0]?.body).toMatchObject({ recoveryCost: 5000 }));
  });

  it('shows itself, selected assets, parents and what depends on it in the picker, with the reason', async () => {
    const asset = (name: string) => assetOf({ name });
    const [parent, ancestor, chosen, free] = ['Parent', 'Ancestor', 'Chosen', 'Free'].map(asset);
    if (!parent || !ancestor || !chosen || !free) throw new Error('Four assets are needed.');
    const related = ({ _id, name, description }: typeof parent) => ({ _id, name, description });
    const { user, record } = open({
      name: 'Gate server',
      parentAssets: [related(parent)],
      relatedAssets: [related(chosen)],
    });
    const node = ({ _id, name, riskScore, health }: typeof parent, distance: number) => ({
      _id,
      name,
      riskScore,
      health,
      distance,
    });
    server.use(
      answer(assets.list, () => ({
        assets: [assetOf({ _id: record._id, name: 'Gate server' }), parent, ancestor, chosen, free],
        skipped: 0,
        total: 100_000,
        ...page,
      })),
      answer(assets.blastRadius, () => ({
        nodes: [node(parent, 1), node(ancestor, 2)],
        edges: [],
        truncated: false,
        exposure: [],
        exposureTotal: 0,
        exposureTruncated: false,
      })),
    );
    await user.click(await screen.findByRole('combobox', { name: 'Related assets' }));
    const options = await screen.findAllByRole('option');
    expect(options.map((option) => [option.textContent, option.getAttribute('aria-disabled')])).toEqual([
      ['Gate serverThis asset', 'true'],
      ['ParentParent asset: would be a circular reference', 'true'],
      ['AncestorDepends on this asset: would be a circular reference', 'true'],
      ['ChosenSelected', 'true'],
      ['Free', null],
    ]);
    screen.getByText('99,995 more. Type to narrow the list.');
    expect(screen.getByRole('listbox').className).toContain('max-h-48');
    await user.click(screen.getByRole('option', { name: 'Free' }));
    await user.keyboard('{Escape}');
    await user.click(button('Update'));
    await waitFor(() => expect(sent[0]?.body).toMatchObject({ relatedAssets: [chosen._id, free._id] }));
  });

  it("shows the server's message about a cycle at the field", async () => {
    const message = 'Relationships must not form a cycle: A → B → A.';
    const child = assetOf({ name: 'B' });
    const { user } = open();
    server.use(
      answer(assets.list, () => ({ assets: [child], skipped: 0, total: 1, ...page })),
      answer(assets.update, () => refusal('invalid', undefined, [{ path: 'relatedAssets', message }])),
    );
    await user.click(await screen.findByRole('combobox', { name: 'Related assets' }));
    await user.click(await screen.findByRole('option', { name: 'B' }));
    await user.keyboard('{Escape}');
    await user.click(button('Update'));
    const summary = within(await screen.findByRole('region', { name: 'There is a problem' }));
    summary.getByRole('link', { name: `Related assets: ${message}` });
    expect(screen.getAllByText(message).length).toBeGreaterThan(0);
  });

  it('asks what to do when another user saved a newer version', async () => {
    const { user, record } = open();
    const newer = assetDetailOf({ ...record, version: 2, description: 'Theirs.', updatedBy: 'Ben' });
    await fill(user, await screen.findByRole('textbox', { name: 'Name' }), 'Mine');
    server.use(
      answer(assets.get, () => newer),
      answer(assets.update, () => refusal('stale_version')),
    );
    await user.click(button('Update'));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getAllByText(/Ben/u).length).toBeGreaterThan(0);
  });
});
