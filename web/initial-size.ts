import { gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

type Chunks = ReadonlyMap<string, Rolldown.OutputChunk>;

/** A chunk with all that it imports statically: what must arrive before it runs. */
function closureOf(name: string, chunks: Chunks, found = new Set<string>()): Set<string> {
  const chunk = chunks.get(name);
  if (chunk === undefined || found.has(name)) return found;
  found.add(name);
  for (const imported of chunk.imports) closureOf(imported, chunks, found);
  return found;
}

/** 'dashboard/route' of the chunk that the router split off a file in routes/; undefined for others. */
const routeOf = (chunk: Rolldown.OutputChunk) =>
  /\/src\/routes\/(.+)\.tsx\?tsr-split=/u.exec(chunk.facadeModuleId ?? '')?.[1];

/** Layouts that stand around a route: 'dashboard/route' around 'dashboard/reports/index'. */
const isAround = (layout: string, route: string) =>
  layout.endsWith('/route') && route.startsWith(layout.slice(0, -'route'.length));

interface Limits {
  /** Bytes of what index.html itself loads (stack, performance: initial JS <= 200 kB gz). */
  entry: number;
  /** Bytes of that with a page and its layouts: a ratchet, so that pages do not grow unseen. */
  page: number;
}

/** Prints how much JavaScript, gzipped, must arrive before a page shows; fails the build beyond the limits. */
export function initialSize(limits: Limits): Plugin {
  return {
    name: 'initial-size',
    apply: 'build',
    writeBundle(_, bundle) {
      const all = Object.values(bundle).filter((file) => file.type === 'chunk');
      const chunks: Chunks = new Map(all.map((chunk) => [chunk.fileName, chunk]));
      const sizes = new Map(all.map((chunk) => [chunk.fileName, gzipSync(chunk.code).length]));
      const entries = all.filter((chunk) => chunk.isEntry);
      const routes = all.flatMap((chunk) => {
        const route = routeOf(chunk);
        return route === undefined ? [] : [{ route, chunk }];
      });

      function measure(name: string, needed: readonly Rolldown.OutputChunk[], limit: number) {
        const files = new Set<string>();
        for (const { fileName } of [...entries, ...needed]) closureOf(fileName, chunks, files);
        return { name, limit, bytes: [...files].reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0) };
      }

      const measured = [
        measure('entry', [], limits.entry),
        ...routes.map(({ route, chunk }) => {
          const around = routes.filter((other) => isAround(other.route, route)).map((other) => other.chunk);
          return measure(route, [...around, chunk], limits.page);
        }),
      ].toSorted((a, b) => a.bytes - b.bytes);
      const lines = measured.map(({ name, bytes }) => `${(bytes / 1000).toFixed(1).padStart(8)} kB  ${name}`);
      this.info(`initial JavaScript, gzipped:\n${lines.join('\n')}`);
      const over = measured.filter(({ bytes, limit }) => bytes > limit);
      if (over.length === 0) return;
      this.error(over.map(({ name, limit }) => `${name} needs more than ${limit / 1000} kB`).join('; '));
    },
  };
}
