import { assets, type Related } from '@riskboard/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { fakeApi } from '../../../testing/fake-api.ts';
import { renderPart } from '../../../testing/render-app.tsx';
import { newId } from '../../../testing/rows.ts';
import { answer, counted, refusal, server, useServer } from '../../../testing/server.ts';
import { RelationshipsCard } from './relationships-card.tsx';
import type { Child } from './tree-rows.ts';

useServer();
beforeEach(() => void fakeApi());

const [site, app, base, disk] = [newId(), newId(), newId(), newId()];
const childOf = (_id: string, name: string, childCount = 0): Child => ({
  _id,
  name,
  description: '',
  assetTypeId: 2,
  childCount,
});
/** site → app, base; app → base; base → disk. */
const below = (): Record<string, Child[]> => ({
  [site]: [childOf(app, 'app', 1), childOf(base, 'base', 1)],
  [app]: [childOf(base, 'base', 1)],
  [base]: [childOf(disk, 'disk')],
});

const answerHierarchy = (children: () => Record<string, Child[]> = below) =>
  counted(assets.hierarchy, ({ params }) => ({ children: children()[String(params['id'])] ?? [] }));

const parent: Related = { _id: newId(), name: 'Shop', description: '' };
const show = (parentAssets: Related[] = [], parentAssetTotal = parentAssets.length) =>
  renderPart(<RelationshipsCard detail={{ _id: site, parentAssets, parentAssetTotal }} />);

const items = () =>
  screen.getAllByRole('treeitem').map((item) => within(item).getByRole('link', { hidden: true }).textContent);
const item = (name: string) => screen.findByRole('treeitem', { name: new RegExp(`^${name}`, 'u') });

describe('the relationships of an asset', () => {
  it('are what it depends on, as a tree, and links to what depends on it', async () => {
    answerHierarchy();
    show([parent]);
    const tree = await screen.findByRole('tree', { name: 'Depends on' });
    expect(items()).toEqual(['app', 'base']);
    expect(within(tree).getByRole('link', { name: 'app' }).getAttribute('href')).toBe(
      `/dashboard/assets/${app}`,
    );
    const parents = screen.getByRole('region', { name: 'Required by' });
    expect(within(parents).getByRole('link', { name: 'Shop' }).getAttribute('href')).toBe(
      `/dashboard/assets/${parent._id}`,
    );
  });

  it('count all assets that depend on it, and say how many of them are listed', async () => {
    answerHierarchy();
    const { user } = show(
      Array.from({ length: 101 }, (_, n) => ({ ...parent, _id: newId(), name: `Shop ${n}` })),
      5000,
    );
    const parents = within(await screen.findByRole('region', { name: 'Required by' }));
    parents.getByText('5,000');
    const all = parents.getByRole('link', { name: 'All 5,000 assets' });
    expect(all.getAttribute('href')).toMatch(/^\/dashboard\/assets\?dependsOn=[0-9a-f-]{36}$/u);
    await user.click(parents.getByRole('button', { name: 'Show the first 101 assets' }));
    expect(parents.getByText('First 101 by name')).toBeDefined();
  });

  it('show "No relationships" when nothing is related', async () => {
    answerHierarchy(() => ({}));
    show();
    await screen.findByText('No relationships');
    expect(screen.queryByRole('tree')).toBeNull();
  });

  it('say which direction is empty', async () => {
    answerHierarchy(() => ({}));
    show([parent]);
    await screen.findByText('It depends on no other asset.');
    expect(screen.queryByText('No relationships')).toBeNull();
  });

  it('that failed to load can be loaded again', async () => {
    server.use(answer(assets.hierarchy, () => refusal('internal')));
    const { user } = show();
    const alert = await screen.findByRole('alert');
    within(alert).getByText('Failed to load asset hierarchy');
    answerHierarchy();
    await user.click(within(alert).getByRole('button', { name: 'Retry' }));
    expect(await item('app')).toBeDefined();
  });

  it('with many parents show the first hundred, and all on request', async () => {
    answerHierarchy();
    const parents = Array.from({ length: 105 }, (_, n) => ({
      _id: newId(),
      name: `Shop ${n}`,
      description: '',
    }));
    const { user } = show(parents);
    const part = await screen.findByRole('region', { name: 'Required by' });
    expect(within(part).getAllByRole('listitem')).toHaveLength(100);
    await user.click(within(part).getByRole('button', { name: 'Show all 105 assets' }));
    expect(within(part).getAllByRole('listitem')).toHaveLength(105);
  });
});

describe('the tree', () => {
  it('loads a level when it is expanded, and shows an asset under each that depends on it', async () => {
    const calls = answerHierarchy();
    const { user } = show();
    (await item('app')).focus();
    expect(calls.times).toBe(1);
    await user.keyboard('{ArrowRight}');
    await waitFor(() => expect(items()).toEqual(['app', 'base', 'base']));
    expect(calls.times).toBe(2);
    await user.keyboard('{ArrowRight}{ArrowRight}');
    await waitFor(() => expect(items()).toEqual(['app', 'base', 'disk', 'base']));
    const [inner] = await screen.findAllByRole('treeitem', { name: /^base/u });
    expect([inner?.ariaLevel, inner?.ariaExpanded, document.activeElement]).toEqual(['2', 'true', inner]);
    await user.keyboard('{ArrowLeft}{ArrowLeft}{ArrowLeft}');
    expect(items()).toEqual(['app', 'base']);
    // Only one item takes part in the Tab order.
    expect(screen.getAllByRole('treeitem').filter(({ tabIndex }) => tabIndex === 0)).toHaveLength(1);
  });

  it('opens the asset by Enter', async () => {
    answerHierarchy();
    const { user, router } = show();
    (await item('app')).focus();
    await user.keyboard('{ArrowDown}{Enter}');
    await waitFor(() => expect(router.state.location.pathname).toBe(`/dashboard/assets/${base}`));
  });

  it('has a Retry for a level that failed to load', async () => {
    answerHierarchy();
    const { user } = show();
    const row = await item('base');
    server.use(answer(assets.hierarchy, () => refusal('internal')));
    row.focus();
    await user.keyboard('{ArrowRight}');
    await within(row).findByText('Failed to load asset hierarchy');
    answerHierarchy();
    await user.click(within(row).getByRole('button', { name: 'Retry' }));
    expect(await item('disk')).toBeDefined();
  });

  it('is refreshed after an update of an asset', async () => {
    let children = below();
    answerHierarchy(() => children);
    const { queryClient } = show();
    await item('base');
    children = { ...children, [site]: [childOf(disk, 'disk')] };
    // What an update and an event of the server mark stale.
    await queryClient.invalidateQueries({ queryKey: ['assets'] });
    await waitFor(() => expect(items()).toEqual(['disk']));
  });
});
