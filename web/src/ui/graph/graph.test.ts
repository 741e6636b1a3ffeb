import type { Graph } from '@riskboard/contract';
import type { Settings } from 'sigma/settings';
import type { NodeDisplayData } from 'sigma/types';
import { describe, expect, test } from 'vitest';
import type { GraphColors } from './colors.ts';
import { colorings } from './coloring.ts';
import type { GraphFill, GraphKind } from './kinds.ts';
import { paintersOf, positionLabels, type Box, type LabelWish } from './draw.ts';
import { extendedLayout, layoutOf, type LayoutInput } from './layout.ts';
import { modelOf, nodeLabel } from './model.ts';

describe('graph node colors (spec 4, States; spec 9, Threats and Assets)', () => {
  const critical = ['Critical', 'critical'] as const;
  const high = ['High', 'high'] as const;
  const medium = ['Medium', 'medium'] as const;
  const low = ['Low', 'low'] as const;
  const red = ['High Risk', 'red'] as const;
  const amber = ['Medium Risk', 'amber'] as const;
  const green = ['Low Risk', 'green'] as const;
  const none = ['No score', 'unknown'] as const;
  test.each<[GraphKind, number | null, readonly [label: string, fill: GraphFill]]>([
    ['vulnerability', 10, critical],
    ['vulnerability', 9, critical],
    ['vulnerability', 8.999, high],
    ['vulnerability', 7, high],
    ['vulnerability', 6.999, medium],
    ['vulnerability', 4, medium],
    ['vulnerability', 3.999, low],
    ['vulnerability', 0, low],
    ['vulnerability', null, none],
    ['threat', 100, critical],
    ['threat', 80, critical],
    ['threat', 79.999, high],
    ['threat', 60, high],
    ['threat', 59.999, medium],
    ['threat', 40, medium],
    ['threat', 39.999, low],
    ['threat', 0, low],
    ['threat', null, none],
    ['asset', 10, red],
    ['asset', 7, red],
    ['asset', 6.9, amber],
    ['asset', 3.6, amber],
    ['asset', 3, amber],
    ['asset', 2.9, green],
    ['asset', 0, green],
    ['asset', null, none],
  ])('%s with %s on its scale is %s', (kind, value, [label, fill]) => {
    const scored = kind === 'threat' ? { riskLevel: value, score: value && value / 10 } : { score: value };
    expect(colorings.score.bandOf(node('x', { kind, ...scored }))).toMatchObject({ label, fill });
  });
});

const node = (_id: string, change: Partial<Graph['nodes'][number]> = {}): Graph['nodes'][number] => ({
  _id,
  kind: 'asset',
  name: _id,
  score: null,
  riskLevel: null,
  centre: false,
  ...change,
});

test('the graph model resolves both ends of each relation and omits relations that leave the graph', () => {
  const model = modelOf({
    nodes: [node('a'), node('b'), node('c')],
    edges: [
      { source: 'a', target: 'b', label: 'related' },
      { source: 'b', target: 'b', label: 'itself' },
      { source: 'a', target: 'gone', label: 'related' },
    ],
    more: true,
  });
  expect(model.edges.map(({ source, label, target }) => `${source.name} ${label} ${target.name}`)).toEqual([
    'a related b',
    'b itself b',
  ]);
  expect(['a', 'b', 'c'].map((id) => model.at.get(id)?.length)).toEqual([1, 2, 0]);
  expect(model.more).toBe(true);
});

test('a node label is the name, shortened when long, and the number that the record itself shows', () => {
  expect(nodeLabel(node('x', { kind: 'threat', name: 'Flood', score: 8.5, riskLevel: 85 }))).toBe(
    'Flood · 85',
  );
  expect(nodeLabel(node('x', { kind: 'threat', name: 'Flood', score: 1.255, riskLevel: 12.55 }))).toBe(
    'Flood · 12.55',
  );
  expect(nodeLabel(node('x', { name: 'Mail relay', score: 7 }))).toBe('Mail relay · 7.0');
  expect(nodeLabel(node('x', { name: 'Mail relay' }))).toBe('Mail relay');
  expect(nodeLabel(node('x', { name: 'm'.repeat(60), score: 10 }))).toBe(`${'m'.repeat(33)}… · 10.0`);
});

describe('graph layout', () => {
  const star = (count: number, centre = 0): LayoutInput => ({
    count,
    ends: Uint32Array.from(Array.from({ length: count - 1 }, (_, leaf) => [0, leaf + 1]).flat()),
    centre,
  });
  const pairs = (positions: Float32Array) =>
    Array.from({ length: positions.length / 2 }, (_, i) => [
      positions[2 * i] ?? NaN,
      positions[2 * i + 1] ?? NaN,
    ]);

  test.each([1, 2, 12, 300])(
    'gives each of %s nodes its own position and puts the central node at 0, 0',
    (count) => {
      const positions = pairs(layoutOf(star(count)));
      expect(positions).toHaveLength(count);
      expect(positions.flat().every(Number.isFinite)).toBe(true);
      expect(positions[0]?.map(Math.abs)).toEqual([0, 0]);
      expect(new Set(positions.map(([x, y]) => `${Math.round(x ?? 0)} ${Math.round(y ?? 0)}`)).size).toBe(
        count,
      );
    },
  );

  test.each([2, 4])('draws no relation between %s related records behind the central record', (related) => {
    const around = Array.from({ length: related }, (_, index) => index + 1);
    const between = around.flatMap((one) =>
      around.filter((other) => other > one).map((other) => [one, other]),
    );
    const ends = Uint32Array.from([...around.map((node) => [0, node]), ...between].flat());
    const positions = pairs(layoutOf({ count: related + 1, ends, centre: 0 }));
    const distances = between.map(([one = 0, other = 0]) => {
      const [x = 0, y = 0] = positions[one] ?? [];
      const [endX = 0, endY = 0] = positions[other] ?? [];
      return Math.abs(x * endY - y * endX) / Math.hypot(endX - x, endY - y);
    });
    expect(Math.min(...distances)).toBeGreaterThan(30);
  });

  test('is the same for the same graph', () => {
    expect(layoutOf(star(40))).toEqual(layoutOf(star(40)));
  });

  test('of a changed graph keeps known positions and puts new nodes near related ones, apart from all others', () => {
    const before = pairs(layoutOf(star(40)));
    // Nodes 40 to 49 are related to node 7, 50 to node 49, and 51 to none.
    const added = Array.from({ length: 10 }, (_, index) => [7, index + 40]).flat();
    const input = {
      count: 52,
      ends: Uint32Array.from([...star(40).ends, ...added, 49, 50]),
      centre: 0,
    };
    const known = Array.from({ length: 52 }, (_, index) => {
      const [x, y] = before[index] ?? [];
      return x === undefined || y === undefined ? undefined : { x, y };
    });
    const after = pairs(extendedLayout(input, known));
    expect(after.slice(0, 40)).toEqual(before);
    const distance = (one: number, other: number) => {
      const [[x = NaN, y = NaN] = [], [endX = NaN, endY = NaN] = []] = [after[one], after[other]];
      return Math.hypot(endX - x, endY - y);
    };
    const isNear = (one: number, other: number) => distance(one, other) < 600;
    expect(Array.from({ length: 10 }, (_, index) => isNear(7, index + 40))).not.toContain(false);
    expect(isNear(49, 50)).toBe(true);
    const nearest = after
      .slice(40)
      .map((_, index) =>
        Math.min(
          ...after.map((__, other) => (other === index + 40 ? Infinity : distance(index + 40, other))),
        ),
      );
    expect(Math.min(...nearest)).toBeGreaterThan(100);
  });

  test('fits a small graph into 600 px at zoom 0.5 and the largest one at 0.1, including isolated nodes', () => {
    const spanOf = (input: LayoutInput) => {
      const positions = pairs(layoutOf(input));
      const spans = [0, 1].map((axis) => {
        const along = positions.map((point) => point[axis] ?? 0);
        return Math.max(...along) - Math.min(...along);
      });
      return Math.max(...spans);
    };
    expect(spanOf(star(12)) * 0.5).toBeLessThanOrEqual(600);
    expect(spanOf(star(2000)) * 0.1).toBeLessThanOrEqual(600);
    expect(spanOf({ count: 5, ends: new Uint32Array(), centre: -1 })).toBeGreaterThan(100);
  });

  test('stretches a flat layout to use the height', () => {
    // Two central nodes with leaves on both sides form a long row.
    const leaves = Array.from({ length: 8 }, (_, leaf) => [leaf % 2, leaf + 2]).flat();
    const positions = pairs(layoutOf({ count: 10, ends: Uint32Array.from([0, 1, ...leaves]), centre: 0 }));
    const [wide, tall] = [0, 1].map((axis) => {
      const along = positions.map((point) => point[axis] ?? 0);
      return Math.max(...along) - Math.min(...along);
    });
    expect(Math.max(wide ?? 0, tall ?? 0) / Math.min(wide ?? 0, tall ?? 0)).toBeLessThan(1.6);
  });
});

describe('graph node labels', () => {
  const frame = { x: 0, y: 0, width: 600, height: 400 };
  const wish = (x: number, y: number, change: Partial<LabelWish> = {}): LabelWish => ({
    x,
    y,
    radius: 8,
    width: 100,
    height: 14,
    ...change,
  });
  const meet = (a: Box, b: Box) =>
    a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

  test('are drawn away from the center: to the right of a node on the right, to the left of a node on the left', () => {
    const [right, left] = positionLabels([wish(400, 100), wish(200, 100)], frame, 300);
    expect([right?.x, left?.x]).toEqual([413, 87]);
  });

  test('move to the other side when the edge of the view would cut them off', () => {
    const [box] = positionLabels([wish(560, 100)], frame, 300);
    expect(box?.x).toBe(447);
  });

  test('move below the node when both sides would be cut off', () => {
    const [box] = positionLabels([wish(40, 100, { width: 590 })], frame, 0);
    expect(box).toMatchObject({ x: 0, y: 109 });
  });

  test('overlap neither each other nor nodes in a dense graph; the first label is always drawn', () => {
    const wishes = Array.from({ length: 60 }, (_, i) =>
      wish(20 + (i % 10) * 60, 20 + Math.floor(i / 10) * 30),
    );
    const boxes = positionLabels(wishes, frame, 300);
    expect(boxes[0]).toBeDefined();
    const written = boxes.filter((box) => box !== undefined);
    expect(written.length).toBeGreaterThan(10);
    expect(written.length).toBeLessThan(60);
    for (const [index, box] of written.entries()) {
      expect(written.slice(index + 1).some((other) => meet(box, other))).toBe(false);
      expect(wishes.some(({ x, y }) => meet(box, { x: x - 8, y: y - 8, width: 16, height: 16 }))).toBe(false);
    }
  });

  test('a relation label is drawn in its middle or not at all', () => {
    const relation = wish(300, 200, { radius: 0 });
    expect(positionLabels([relation], frame, 0)[0]).toMatchObject({ x: 250, y: 193 });
    expect(positionLabels([wish(310, 200), relation], frame, 0)[1]).toBeUndefined();
  });
});

describe('the label of a node under the pointer or with an open card', () => {
  /** A canvas that records the texts drawn on it. */
  function canvas() {
    const texts: string[] = [];
    const draw = {
      canvas: { clientWidth: 600, clientHeight: 400 },
      measureText: () => ({ width: 60 }),
      fillText: (text: string) => texts.push(text),
    };
    const context = new Proxy(draw, { get: (known, name) => Reflect.get(known, name) ?? (() => undefined) });
    return { texts, context: context as unknown as CanvasRenderingContext2D };
  }
  const colors = () => ({}) as GraphColors;
  const settings = { labelSize: 12, labelWeight: '500', labelFont: 'Inter' } as Settings;
  const drawn = (change: Partial<NodeDisplayData>) =>
    ({ key: 'a', label: 'Mail relay', x: 300, y: 200, size: 8, zIndex: 1, ...change }) as NodeDisplayData;

  test('is drawn once', () => {
    const { texts, context } = canvas();
    const painters = paintersOf(colors);
    painters.label(context, drawn({ highlighted: true }), settings);
    painters.hover(context, drawn({ highlighted: true }), settings);
    painters.flush();
    expect(texts).toEqual(['Mail relay']);
  });

  test('is drawn instead of a label that needs the same room', () => {
    const { texts, context } = canvas();
    const painters = paintersOf(colors);
    for (const y of [192, 200, 208, 216]) painters.label(context, drawn({ label: 'Other', y }), settings);
    painters.label(context, drawn({ highlighted: true }), settings);
    painters.flush();
    expect(texts[0]).toBe('Mail relay');
  });

  test('is drawn even when other nodes leave no room', () => {
    const discs = [0, 1, 2, 3, 4].flatMap((row) => [-150, -50, 50, 150].map((dx) => [dx, row * 14 - 28]));
    const others = discs.map(([dx = 0, dy = 0]) => ({
      x: 300 + dx,
      y: 200 + dy,
      radius: 60,
      width: 1,
      height: 1,
    }));
    const own = { x: 300, y: 200, radius: 8, width: 100, height: 14 };
    const frame = { x: 0, y: 0, width: 600, height: 400 };
    expect(positionLabels([own, ...others], frame, 300)[0]).toBeUndefined();
    expect(positionLabels([{ ...own, required: true }, ...others], frame, 300)[0]).toBeDefined();
  });
});
