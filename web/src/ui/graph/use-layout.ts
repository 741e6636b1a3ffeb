import { useEffect, useState } from 'react';
import { layoutOf, type LayoutInput } from './layout.ts';
import type { GraphModel } from './model.ts';

/** So many nodes are laid out at once; more go to a worker, and the page stays usable. */
const mostAtOnce = 150;

function inputOf({ nodes, edges }: GraphModel): LayoutInput {
  const places = new Map(nodes.map((node, place) => [node._id, place]));
  return {
    count: nodes.length,
    ends: Uint32Array.from(
      edges.flatMap(({ source, target }) => [places.get(source._id) ?? 0, places.get(target._id) ?? 0]),
    ),
    centre: nodes.findIndex(({ centre }) => centre),
  };
}

interface Layout {
  readonly model: GraphModel;
  readonly positions: Float32Array;
}

/** Positions of a model's nodes, x and y in turn; undefined until they are known. */
export function useLayout(model: GraphModel): Float32Array | undefined {
  const [layout, setLayout] = useState<Layout>();

  useEffect(() => {
    performance.mark('graph:layout-start');
    const finish = (positions: Float32Array) => {
      performance.measure('graph:layout', 'graph:layout-start');
      setLayout({ model, positions });
    };
    const input = inputOf(model);
    if (input.count <= mostAtOnce) {
      finish(layoutOf(input));
      return undefined;
    }
    const worker = new Worker(new URL('layout.worker.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<Float32Array>) => finish(data));
    // A policy or a browser may keep the worker away: a pause is better than no graph.
    worker.addEventListener('error', () => finish(layoutOf(input)));
    worker.postMessage(input);
    return () => worker.terminate();
  }, [model]);

  return layout?.model === model ? layout.positions : undefined;
}
