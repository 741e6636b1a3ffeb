import { renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { GraphNode } from './kinds.ts';
import { modelOf, type GraphModel } from './model.ts';
import { useLayout } from './use-layout.ts';

const asset = (id: string, change: Partial<GraphNode> = {}): GraphNode => ({
  _id: id,
  name: id,
  kind: 'asset',
  score: 5,
  riskLevel: null,
  centre: id === 'rack',
  ...change,
});

/** A model in which the asset `rack` is related to the others. */
const star = (...nodes: GraphNode[]): GraphModel =>
  modelOf({
    nodes: [asset('rack'), ...nodes],
    edges: nodes.map(({ _id }) => ({ source: 'rack', target: _id, label: 'depends on' })),
    more: false,
  });

/** Shows a model and then others. @returns the layouts of all renders, as positions by name */
function layouts(first: GraphModel) {
  const all: (Record<string, [number, number]> | undefined)[] = [];
  const { rerender } = renderHook(
    (model) => {
      const layout = useLayout(model);
      all.push(
        layout &&
          Object.fromEntries(
            layout.model.nodes.map(({ name }, index) => [
              name,
              [layout.positions[2 * index] ?? NaN, layout.positions[2 * index + 1] ?? NaN],
            ]),
          ),
      );
    },
    { initialProps: first },
  );
  return { all, last: () => all.at(-1) ?? {}, change: rerender };
}

test('after a change of a name or score all nodes keep their positions', () => {
  const { all, last, change } = layouts(star(asset('dock'), asset('quay')));
  const before = last();
  all.length = 0;
  change(star(asset('dock', { name: 'Dock 2' }), asset('quay', { score: 9 })));
  expect(last()).toEqual({ rack: before['rack'], 'Dock 2': before['dock'], quay: before['quay'] });
  // A render without a layout would draw the graph anew.
  expect(all).not.toContain(undefined);
});

test('after nodes were added and removed, those that remain keep their positions', () => {
  const { all, last, change } = layouts(star(asset('dock'), asset('quay')));
  const before = last();
  all.length = 0;
  change(star(asset('shed'), asset('dock')));
  const { rack, dock, shed } = last();
  expect({ rack, dock }).toEqual({ rack: before['rack'], dock: before['dock'] });
  expect(Object.keys(last())).toEqual(['rack', 'shed', 'dock']);
  expect(shed?.every(Number.isFinite)).toBe(true);
  expect(all).not.toContain(undefined);
});

test('after most nodes were replaced, by one change or by several, all positions are computed again', () => {
  const next = star(asset('shed'), asset('crane'));
  const computed = layouts(next).last();
  const atOnce = layouts(star(asset('dock'), asset('quay')));
  atOnce.change(next);
  expect(atOnce.last()).toEqual(computed);
  const bySteps = layouts(star(asset('dock'), asset('quay')));
  bySteps.change(star(asset('dock'), asset('shed')));
  bySteps.change(next);
  expect(bySteps.last()).toEqual(computed);
});
