import { useEffect, useState } from 'react';
import { extendedLayout, layoutOf, type LayoutInput } from './layout.ts';
import type { GraphModel } from './model.ts';
import type { Point } from './zoom.ts';

/** Up to this number of nodes the layout runs synchronously; larger graphs use a worker. */
const mostAtOnce = 150;

function inputOf({ nodes, edges }: GraphModel): LayoutInput {
  const indexes = new Map(nodes.map((node, index) => [node._id, index]));
  return {
    count: nodes.length,
    ends: Uint32Array.from(
      edges.flatMap(({ source, target }) => [indexes.get(source._id) ?? 0, indexes.get(target._id) ?? 0]),
    ),
    centre: nodes.findIndex(({ centre }) => centre),
  };
}

export interface Layout {
  readonly model: GraphModel;
  /** Alternating x and y of the nodes, in pixels at zoom 1. */
  readonly positions: Float32Array;
  /** Number of nodes that were added since all positions were computed together. */
  readonly added: number;
}

/** The layout of a changed model in which the nodes that remain keep their positions; undefined when most are new. */
function keptLayout(last: Layout, model: GraphModel): Layout | undefined {
  const known = new Map(
    last.model.nodes.map(({ _id }, index): [string, Point] => [
      _id,
      { x: last.positions[2 * index] ?? 0, y: last.positions[2 * index + 1] ?? 0 },
    ]),
  );
  const points = model.nodes.map(({ _id }) => known.get(_id));
  const added = last.added + points.filter((point) => point === undefined).length;
  if (2 * added > points.length) return undefined;
  return { model, positions: extendedLayout(inputOf(model), points), added };
}

/**
 * Positions of a model's nodes; undefined until computed. After a change, nodes that remain keep their positions; when
 * most are new, all are computed again, and the layout of the previous model is returned until then.
 */
export function useLayout(model: GraphModel): Layout | undefined {
  const [layout, setLayout] = useState<Layout>();

  const kept = layout !== undefined && layout.model !== model ? keptLayout(layout, model) : undefined;
  if (kept !== undefined) setLayout(kept);

  const isCurrent = (kept ?? layout)?.model === model;
  useEffect(() => {
    if (isCurrent) return undefined;
    performance.mark('graph:layout-start');
    const finish = (positions: Float32Array) => {
      performance.measure('graph:layout', 'graph:layout-start');
      setLayout({ model, positions, added: 0 });
    };
    const input = inputOf(model);
    if (input.count <= mostAtOnce) {
      finish(layoutOf(input));
      return undefined;
    }
    const worker = new Worker(new URL('layout.worker.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<Float32Array>) => finish(data));
    // The worker may be blocked by a policy or the browser; computing here is slow but works.
    worker.addEventListener('error', () => finish(layoutOf(input)));
    worker.postMessage(input);
    return () => worker.terminate();
  }, [model, isCurrent]);

  return layout;
}
