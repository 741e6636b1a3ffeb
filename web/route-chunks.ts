import type { Rolldown } from 'vite';

/** A page of the app and the files that must load before it is shown. */
export interface PageChunks {
  /** File in routes/: 'dashboard/reports/index', or a layout, 'dashboard/route'. */
  readonly route: string;
  /** Including the files of the entry and of the enclosing layouts. */
  readonly files: ReadonlySet<string>;
}

type Chunks = ReadonlyMap<string, Rolldown.OutputChunk>;

/** Adds a chunk and everything that it imports statically. */
function closureOf(name: string, chunks: Chunks, found: Set<string>): void {
  const chunk = chunks.get(name);
  if (chunk === undefined || found.has(name)) return;
  found.add(name);
  for (const imported of chunk.imports) closureOf(imported, chunks, found);
}

/** Route file of a chunk that the router split off, such as 'dashboard/route'; undefined for other chunks. */
const routeOf = (chunk: Rolldown.OutputChunk) =>
  /\/src\/routes\/(.+)\.tsx\?tsr-split=/u.exec(chunk.facadeModuleId ?? '')?.[1];

/** Whether a layout encloses a route: 'dashboard/route' encloses 'dashboard/reports/index'. */
const isAround = (layout: string, route: string) =>
  layout.endsWith('/route') && route.startsWith(layout.slice(0, -'route'.length));

/** Files of the entry, files of each page including the entry, and the files that pages and layouts have for themselves. */
export function routeChunks(bundle: Rolldown.OutputBundle): {
  entry: ReadonlySet<string>;
  pages: readonly PageChunks[];
  own: ReadonlySet<string>;
} {
  const all = Object.values(bundle).filter((file) => file.type === 'chunk');
  const chunks: Chunks = new Map(all.map((chunk) => [chunk.fileName, chunk]));
  const entries = all.filter((chunk) => chunk.isEntry);
  const routes = all.flatMap((chunk) => {
    const route = routeOf(chunk);
    return route === undefined ? [] : [{ route, chunk }];
  });

  function filesOf(needed: readonly Rolldown.OutputChunk[]): ReadonlySet<string> {
    const files = new Set<string>();
    for (const { fileName } of [...entries, ...needed]) closureOf(fileName, chunks, files);
    return files;
  }

  return {
    entry: filesOf([]),
    own: new Set(routes.map(({ chunk }) => chunk.fileName)),
    pages: routes.map(({ route, chunk }) => {
      const around = routes.filter((other) => isAround(other.route, route)).map((other) => other.chunk);
      return { route, files: filesOf([...around, chunk]) };
    }),
  };
}
