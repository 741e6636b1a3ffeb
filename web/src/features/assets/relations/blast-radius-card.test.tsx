import { assets, type BlastRadius } from '@riskboard/contract';
import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { fakeApi } from '../../../testing/fake-api.ts';
import { renderPart } from '../../../testing/render-app.tsx';
import { newId } from '../../../testing/rows.ts';
import { answer, refusal, server, useServer } from '../../../testing/server.ts';
import { blastGraphOf, blastSummary } from './blast-graph.ts';
import { BlastRadiusCard } from './blast-radius-card.tsx';

useServer();
beforeEach(() => void fakeApi());

const named = (name: string, riskScore = 1) => ({
  _id: newId(),
  name,
  riskScore,
  health: 'Healthy' as const,
});
const [rack, app, site, shop, disk, flaw] = [
  named('rack'),
  named('app', 7.5),
  named('site'),
  named('shop'),
  named('disk'),
  named('Disk flaw'),
];

/** rack ← app ← site ← shop, rack ← site; the rack depends on a disk with a flaw. */
const blast: BlastRadius = {
  nodes: [
    { ...app, health: 'Critical', distance: 1 },
    { ...site, distance: 1 },
    { ...shop, distance: 2 },
  ],
  edges: [
    { from: shop._id, to: site._id },
    { from: site._id, to: rack._id },
    { from: site._id, to: app._id },
    { from: app._id, to: rack._id },
  ],
  truncated: false,
  exposure: [
    {
      vulnerability: { _id: flaw._id, name: flaw.name, severity: 5, cvssScore: 9.8 },
      path: [rack, disk],
      distance: 1,
    },
  ],
  exposureTotal: 1,
  exposureTruncated: false,
};

describe('the summary of a blast radius', () => {
  const dependents = (count: number, distance: number) =>
    Array.from({ length: count }, () => ({ ...app, distance }));
  it.each<[string, Partial<BlastRadius>]>([
    [
      '14 assets depend on it, up to 3 steps away; 5 open vulnerabilities reach it.',
      { nodes: dependents(14, 3), exposureTotal: 5 },
    ],
    ['1 asset depends on it, 1 step away; 1 open vulnerability reaches it.', { nodes: dependents(1, 1) }],
    [
      'No asset depends on it; no open vulnerability reaches it through what it depends on.',
      { nodes: [], exposureTotal: 0, exposure: [] },
    ],
    [
      '3 or more assets depend on it, up to 100 steps away; 1 or more open vulnerabilities reach it.',
      { nodes: dependents(3, 100), truncated: true, exposureTruncated: true },
    ],
    [
      '2 assets depend on it, up to 2 steps away; 300 open vulnerabilities reach it.',
      { nodes: dependents(2, 2), exposureTotal: 300, exposureTruncated: true },
    ],
  ])('%s', (expected, change) => expect(blastSummary({ ...blast, ...change })).toBe(expected));
});

describe('the graph of a blast radius', () => {
  it('has the asset in its center, what depends on it, and what leads to each vulnerability', () => {
    const { data, paths } = blastGraphOf(rack, blast);
    expect(
      data.nodes.map(({ name, kind, centre, health, score }) => [name, kind, centre, health, score]),
    ).toEqual([
      ['rack', 'asset', true, 'Healthy', 1],
      ['app', 'asset', false, 'Critical', 7.5],
      ['site', 'asset', false, 'Healthy', 1],
      ['shop', 'asset', false, 'Healthy', 1],
      ['disk', 'asset', false, 'Healthy', 1],
      ['Disk flaw', 'vulnerability', false, undefined, 9.8],
    ]);
    const nameOf = new Map(data.nodes.map(({ _id, name }) => [_id, name]));
    expect(
      data.edges.map(({ source, target, label }) => `${nameOf.get(source)} ${label} ${nameOf.get(target)}`),
    ).toEqual([
      'shop depends on site',
      'site depends on rack',
      'site depends on app',
      'app depends on rack',
      'rack depends on disk',
      'Disk flaw concerns disk',
    ]);
    const pathOf = ({ _id }: { _id: string }) =>
      paths
        .get(_id)
        ?.map((id) => nameOf.get(id))
        .join(' ');
    expect([pathOf(shop), pathOf(flaw)]).toEqual(['rack site shop', 'rack disk Disk flaw']);
    expect(data.more).toBe(false);
  });

  it('of thousands of assets has the nearest, and says that others are left out', () => {
    const nodes = Array.from({ length: 3000 }, (_, n) => ({ ...named(`a${n}`), distance: 1 }));
    const { data } = blastGraphOf(rack, {
      ...blast,
      nodes,
      edges: nodes.map(({ _id }) => ({ from: _id, to: rack._id })),
    });
    expect(data.nodes.length).toBeLessThanOrEqual(2000);
    expect(data.more).toBe(true);
  });
});

const rows = (name: string) =>
  within(screen.getByRole('table', { name }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.querySelectorAll('th, td')].map((cell) => cell.textContent).join(' | '));

describe('the blast radius on the page', () => {
  it('is a sentence, and tables of assets by distance and of vulnerabilities with their path', async () => {
    server.use(answer(assets.blastRadius, () => blast));
    const { user } = renderPart(<BlastRadiusCard origin={rack} />);
    await screen.findByText('3 assets depend on it, up to 2 steps away; 1 open vulnerability reaches it.');
    expect(rows('Assets that depend on it')).toEqual([
      'app | 1 | 7.5 High Risk | Critical',
      'site | 1 | 1.0 Low Risk | Healthy',
      'shop | 2 | 1.0 Low Risk | Healthy',
    ]);
    expect(screen.getByRole('link', { name: 'app' }).getAttribute('href')).toBe(
      `/dashboard/assets/${app._id}`,
    );
    await user.click(screen.getByRole('radio', { name: 'Vulnerabilities' }));
    expect(rows('Open vulnerabilities that reach it')).toEqual([
      'Disk flaw | 9.8 Critical | 1 | rack → disk | ',
    ]);
    expect(screen.getByRole('link', { name: 'Disk flaw' }).getAttribute('href')).toBe(
      `/dashboard/vulnerabilities/${flaw._id}`,
    );
  });

  it('that failed to load can be loaded again', async () => {
    server.use(answer(assets.blastRadius, () => refusal('internal')));
    const { user } = renderPart(<BlastRadiusCard origin={rack} />);
    const alert = await screen.findByRole('alert');
    within(alert).getByText('Failed to load the blast radius.');
    server.use(answer(assets.blastRadius, () => blast));
    await user.click(within(alert).getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('table', { name: 'Assets that depend on it' })).toBeDefined();
  });

  it('without assets that depend on it says where to relate them', async () => {
    server.use(
      answer(assets.blastRadius, () => ({ ...blast, nodes: [], edges: [], exposure: [], exposureTotal: 0 })),
    );
    renderPart(<BlastRadiusCard origin={rack} />);
    expect(await screen.findByText('Nothing in the blast radius.')).toBeDefined();
    screen.getByText('No asset depends on this one. Open an asset that needs it and relate it there.');
    // Relations that are made here are what the asset itself needs.
    expect(screen.queryByText('Relate assets')).toBeNull();
  });
});
