import { useEffect, useState } from 'react';
import { layoutOf, type LayoutInput } from './layout.ts';
import type { GraphModel } from './model.ts';

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

interface Layout {
  readonly model: GraphModel;
  readonly positions: Float32Array;
}

/** Positions of a model's nodes, alternating x and y; undefined until computed. */
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
    // The worker may be blocked by a policy or the browser; computing here is slow but works.
    worker.addEventListener('error', () => finish(layoutOf(input)));
    worker.postMessage(input);
    return () => worker.terminate();
  }, [model]);

  return layout?.model === model ? layout.positions : undefined;
}
