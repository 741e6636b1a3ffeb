import type { Graph } from '@riskboard/contract';
import { render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { ApiError } from '../../lib/api/errors.ts';
import { Legend } from './legend.tsx';
import { modelOf } from './model.ts';
import { Peek } from './peek.tsx';
import { RelationGraph, type GraphNode, type RelationGraphProps } from './relation-graph.tsx';

const id = (n: number) => `0199f000-0000-7000-8000-00000000000${n}`;
const graph: Graph = {
  nodes: [
    { _id: id(1), kind: 'vulnerability', name: 'Crane firmware', score: 9.8, riskLevel: null, centre: true },
    { _id: id(2), kind: 'asset', name: 'Crane controller', score: null, riskLevel: null, centre: false },
    { _id: id(3), kind: 'threat', name: 'Night Pilots', score: 8.5, riskLevel: 85, centre: false },
  ],
  edges: [
    { source: id(1), target: id(2), label: 'concerns' },
    { source: id(3), target: id(2), label: 'threatens' },
  ],
  more: false,
};

function show(change: Partial<RelationGraphProps['query']>, props: Partial<RelationGraphProps> = {}) {
  const onOpen = vi.fn<(node: GraphNode) => void>();
  const refetch = vi.fn<() => void>();
  render(
    <RelationGraph
      label="Asset Graphical Modelling"
      query={{ data: undefined, error: null, refetch, ...change }}
      onOpen={onOpen}
      emptyHint={{ description: 'Relate assets to see what it touches.' }}
      {...props}
    />,
  );
  return { onOpen, refetch, card: screen.getByRole('region', { name: 'Asset Graphical Modelling' }) };
}

const rows = (name: string) =>
  within(screen.getByRole('table', { name }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.querySelectorAll('th, td')].map((cell) => cell.textContent).join(' | '));

test('without WebGL, tables show the whole graph and open records', async () => {
  const user = userEvent.setup();
  const { onOpen } = show({ data: graph }, { canOpen: ({ kind }) => kind !== 'asset' });
  expect(screen.getByText(/WebGL is disabled/u)).toBeDefined();
  expect(rows('Asset Graphical Modelling: records')).toEqual([
    'Crane controller | Asset | N/A | Risk score | N/A | 2',
    'Crane firmware | Vulnerability | 9.8 / 10 | CVSS or severity | Critical | 1',
    'Night Pilots | Threat | 85 / 100 | Risk level | Critical | 1',
  ]);
  await user.click(screen.getByRole('button', { name: /^Score/u }));
  expect(rows('Asset Graphical Modelling: records').map((row) => row.split(' | ')[2])).toEqual([
    '9.8 / 10',
    '85 / 100',
    'N/A',
  ]);
  // The current record and records without a page have no link.
  expect(screen.queryByRole('button', { name: 'Crane firmware' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Crane controller' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Night Pilots' }));
  expect(onOpen).toHaveBeenCalledExactlyOnceWith(graph.nodes[2]);
  await user.click(screen.getByRole('radio', { name: 'Relations' }));
  expect(rows('Asset Graphical Modelling: relations')).toEqual([
    'Crane firmware | concerns | Crane controller',
    'Night Pilots | threatens | Crane controller',
  ]);
});

const scaleOf = (name: string) =>
  within(screen.getByRole('list', { name }))
    .getAllByRole('listitem')
    .map((item) => item.textContent);

test('the legend states the scale of each kind in the graph, and of no other kind', () => {
  render(<Legend model={modelOf(graph)} hidden={new Set()} onHidden={vi.fn<() => void>()} />);
  expect(scaleOf('Vulnerabilities: CVSS or severity, 0–10')).toEqual([
    'Critical ≥ 9',
    'High ≥ 7',
    'Medium ≥ 4',
    'Low < 4',
  ]);
  expect(scaleOf('Threats: Risk level, 0–100')).toEqual([
    'Critical ≥ 80',
    'High ≥ 60',
    'Medium ≥ 40',
    'Low < 40',
  ]);
  expect(scaleOf('Assets: Risk score, 0–10')).toEqual([
    'High Risk ≥ 7',
    'Medium Risk ≥ 3',
    'Low Risk < 3',
    'No score',
  ]);
  expect(screen.getAllByRole('list')).toHaveLength(3);
});

test('the card of a node shows its number with the scale, and the severity of its color', () => {
  const model = modelOf(graph);
  const texts = graph.nodes.map((node) => {
    const { container, unmount } = render(
      <Peek node={node} model={model} onPick={vi.fn<() => void>()} onClose={vi.fn<() => void>()} />,
    );
    const text = container.querySelector('dl')?.textContent;
    unmount();
    return text;
  });
  expect(texts).toEqual([
    'CVSS or severity9.8 / 10Graph severityCritical',
    'Risk scoreN/A',
    'Risk level85 / 100Graph severityCritical',
  ]);
});

test('the graph card shows what to do when there are no relations', () => {
  const { card } = show({ data: { ...graph, nodes: graph.nodes.slice(0, 1), edges: [] } });
  expect(within(card).getByText('No related assets yet.')).toBeDefined();
  expect(within(card).getByText('Relate assets to see what it touches.')).toBeDefined();
});

test('the graph card loads without flicker', async () => {
  const { card } = show({});
  expect(card.textContent).not.toContain('Loading');
  await within(card).findByText('Loading…');
});

test('a failure of the graph shows the request id and can be retried; old data stays', async () => {
  const error = new ApiError({ statusCode: 500, code: 'internal', message: 'Broken', requestId: 'r-7' });
  const { refetch } = show({ error });
  const alert = screen.getByRole('alert');
  expect(alert.textContent).toContain('Failed to load the graph.');
  expect(alert.textContent).toContain('r-7');
  await userEvent.click(within(alert).getByRole('button', { name: 'Retry' }));
  expect(refetch).toHaveBeenCalledOnce();
  show({ data: graph, error }, { label: 'Again' });
  expect(screen.getByRole('table', { name: 'Again: records' })).toBeDefined();
});

test('a graph colored by health explains health and sizes, and the card of an asset shows both', () => {
  const asset = { kind: 'asset', riskLevel: null, centre: false } as const;
  const nodes = [
    { ...asset, _id: id(1), name: 'Crane', score: 10, health: 'Critical' },
    { ...asset, _id: id(2), name: 'Gate', score: 0, health: 'Healthy' },
    { ...asset, _id: id(3), name: 'Rack', score: 4, health: 'Warning' },
    { ...asset, _id: id(4), name: 'Lamp', score: 4 },
  ] as const;
  const edges = [{ source: id(1), target: id(2), label: 'depends on', back: 'required by' }];
  const model = modelOf({ nodes, edges, more: false }, 'health');
  expect(nodes.map(model.coloring.bandOf).map(({ fill }) => fill)).toEqual([
    'red',
    'green',
    'amber',
    'unknown',
  ]);
  const [largest, smallest, middle] = nodes.map(model.coloring.radiusOf);
  expect([largest, middle, smallest].map(Number)).toEqual([24, 18, 14]);
  render(<Legend model={model} hidden={new Set()} onHidden={vi.fn<() => void>()} />);
  expect(scaleOf('Assets: Health; size: risk score')).toEqual(['Critical', 'Warning', 'Healthy', 'Unknown']);
  const texts = nodes.slice(0, 2).map((node) => {
    const { container, unmount } = render(
      <Peek node={node} model={model} onPick={vi.fn<() => void>()} onClose={vi.fn<() => void>()} />,
    );
    const text = [container.querySelector('dl'), container.querySelector('ul')].map(
      (part) => part?.textContent,
    );
    unmount();
    return text;
  });
  expect(texts).toEqual([
    ['Risk score10.0 / 10HealthCritical', 'Gatedepends on'],
    ['Risk score0.0 / 10HealthHealthy', 'Cranerequired by'],
  ]);
});
