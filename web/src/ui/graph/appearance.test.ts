import Graphology from 'graphology';
import { expect, test } from 'vitest';
import { createAppearance } from './appearance.ts';
import type { GraphColors } from './colors.ts';
import type { GraphNode } from './kinds.ts';
import { modelOf } from './model.ts';

const colors = {
  dim: 'dim',
  edge: 'edge',
  denseEdge: 'dense',
  muted: 'muted',
  outline: 'outline',
  amber: 'amber',
} as GraphColors;

const asset = (id: string): GraphNode => ({
  _id: id,
  name: id,
  kind: 'asset',
  score: 5,
  riskLevel: null,
  centre: id === 'rack',
});

/** `ends`: source and target of each relation, as in `gate-rack`; relations are named like that. */
function appearanceOf(
  ends: readonly string[],
  pathOf: (node: GraphNode) => string[] | undefined = () => undefined,
) {
  const pairs = ends.map((end) => end.split('-') as [string, string]);
  const nodes = [...new Set(pairs.flat())].map(asset);
  const edges = pairs.map(([source, target]) => ({ source, target, label: 'depends on' }));
  const model = modelOf({ nodes, edges, more: false });
  const graph = new Graphology({ multi: true, type: 'directed' });
  for (const { _id } of nodes) graph.addNode(_id);
  for (const [index, [source, target]] of pairs.entries()) graph.addEdgeWithKey(ends[index], source, target);
  const appearance = createAppearance({ model, graph, pathOf });
  const find = (id: string) => model.byId.get(id);
  const state = { colors, hidden: new Set<never>(), marked: [] };
  return {
    appearance,
    focus: (id?: string) => appearance.focusOn(id === undefined ? undefined : find(id)),
    lit: () => nodes.map(({ _id }) => _id).filter((id) => appearance.node(id, {}, state).color !== 'dim'),
    edges: () => ends.filter((end) => appearance.edge(end, {}, colors).type === 'lit'),
    edge: (end: string) => appearance.edge(end, {}, colors),
  };
}

const chain = ['rack-gate', 'gate-quay', 'rack-shed'];
const paths: Record<string, string[]> = { rack: ['rack'], quay: ['rack', 'gate', 'quay'] };

test('without a focused node all look the same', () => {
  const graph = appearanceOf(chain);
  expect(graph.lit()).toEqual(['rack', 'gate', 'quay', 'shed']);
  expect(graph.edge('rack-gate')).toEqual({ type: 'arrow', color: 'edge', label: null });
});

test('a focused node is highlighted with its neighbors, and no longer when the focus ends', () => {
  const graph = appearanceOf(chain);
  graph.focus('gate');
  expect(graph.lit()).toEqual(['rack', 'gate', 'quay']);
  expect(graph.edges()).toEqual(['rack-gate', 'gate-quay']);
  graph.focus();
  expect(graph.lit()).toHaveLength(4);
});

test('a focused node is highlighted with its path from the center', () => {
  const graph = appearanceOf([...chain, 'rack-quay'], ({ _id }) => paths[_id]);
  graph.focus('quay');
  expect(graph.lit()).toEqual(['rack', 'gate', 'quay']);
  expect(graph.edges()).toEqual(['rack-gate', 'gate-quay']);
});

test('the center, whose path is it alone, is highlighted with its neighbors', () => {
  const graph = appearanceOf(chain, ({ _id }) => paths[_id]);
  graph.focus('rack');
  expect(graph.lit()).toEqual(['rack', 'gate', 'shed']);
  expect(graph.edges()).toEqual(['rack-gate', 'rack-shed']);
});

test.each([
  [500, { type: 'arrow', color: 'edge' }],
  [501, { type: 'line', color: 'dense' }],
])('of %i relations each is drawn as %o', (count, drawn) => {
  const ends = Array.from({ length: count }, (_, n) => `rack-gate${n}`);
  expect(appearanceOf(ends).edge('rack-gate0')).toMatchObject(drawn);
});

test.each([
  [28, 3],
  [29, 1.5],
])('relations of a node with %i neighbors are %d wide when highlighted, with an arrow', (count, size) => {
  const graph = appearanceOf(Array.from({ length: count }, (_, n) => `rack-gate${n}`));
  graph.focus('rack');
  expect(graph.edge('rack-gate0')).toMatchObject({ type: 'lit', size });
});
