import { gzipSync } from 'node:zlib';
import { build, type InlineConfig, type Rolldown } from 'vite';
import { type Load, planChunks } from './chunk-plan.ts';
import { routeChunks } from './route-chunks.ts';

interface Wanted {
  /** JavaScript files of a page and its layouts, without those of the entry. */
  first: number;
  /** The same with everything that the page loads when the browser is idle. */
  complete: number;
  /** Bytes of a page's first files with those of the entry, gzipped. */
  most: number;
  /** Modules in src/, without extension, whose dynamic imports are loaded when the browser is idle, without an action of the user. */
  idle: ReadonlySet<string>;
}

/** Bytes that a page without a layout, such as the login, may get in addition: it shares little with the others. */
const mostAlone = 12_000;

/** Bytes from which a part is a library, such as that of charts, which small parts must not wait for. */
const large = 45_000;

/** Bytes that a file needs in addition to its content. */
const overhead = 230;

const sizeOf = (chunk?: Rolldown.OutputChunk) =>
  chunk === undefined ? 0 : Math.max(0, gzipSync(chunk.code).length - overhead);

type Chunks = ReadonlyMap<string, Rolldown.OutputChunk>;

/** 'ui/list/filter-panel' for the chunk of the module web/src/ui/list/filter-panel.tsx. */
const moduleOf = (chunk?: Rolldown.OutputChunk): string =>
  /\/src\/(.+)\.tsx?$/u.exec(chunk?.facadeModuleId ?? '')?.[1] ?? '';

/** @throws when a module of `idle` has no chunk, because it was renamed or is no longer imported dynamically */
function requireChunks(chunks: Chunks, idle: ReadonlySet<string>): void {
  const modules = new Set([...chunks.values()].map(moduleOf));
  const missing = [...idle].filter((name) => !modules.has(name));
  if (missing.length > 0)
    throw new Error(`idle-parts.ts names modules that are not imported dynamically: ${missing.join(', ')}`);
}

/** Files of a page with those that it loads when idle. */
function withIdle(files: ReadonlySet<string>, chunks: Chunks, idle: ReadonlySet<string>): Set<string> {
  const found = new Set(files);
  for (const file of found) {
    const { imports = [], dynamicImports = [] } = chunks.get(file) ?? {};
    const later = dynamicImports.filter((name) => idle.has(moduleOf(chunks.get(name))));
    // A set visits what is added while it is walked.
    for (const name of [...imports, ...later]) found.add(name);
  }
  return found;
}

/** What each page loads. */
function loadsOf(
  bundle: Rolldown.OutputBundle,
  chunks: Chunks,
  { first, complete, most, idle }: Wanted,
): Load[] {
  const { entry, pages } = routeChunks(bundle);
  const without = (files: ReadonlySet<string>) => new Set([...files].filter((file) => !entry.has(file)));
  const bytesOf = (files: ReadonlySet<string>) =>
    [...files].reduce((sum, name) => sum + sizeOf(chunks.get(name)), 0);
  return pages
    .filter(({ route }) => !route.endsWith('/route'))
    .flatMap(({ route, files }) => [
      {
        parts: without(files),
        mostFiles: first,
        mostAdded: Math.min(most - bytesOf(files), route.includes('/') ? most : mostAlone),
        weight: 1,
      },
      {
        parts: without(withIdle(files, chunks, idle)),
        mostFiles: complete,
        mostAdded: 300_000,
        weight: 0.03,
      },
    ]);
}

/**
 * Names the shared file of each module: bundles the app with a file for each set of modules that the same pages need,
 * and merges these files until no page needs too many.
 */
export async function sharedChunks(
  config: InlineConfig,
  wanted: Wanted,
): Promise<(moduleId: string) => string | null> {
  const options = { ...config, configFile: false, logLevel: 'warn' } as const;
  const result = await build({ ...options, build: { ...options.build, write: false } });
  const { output } = (Array.isArray(result) ? result[0] : result) as Rolldown.RolldownOutput;
  const bundle = Object.fromEntries(output.map((file) => [file.fileName, file]));
  const files = output.filter((file) => file.type === 'chunk');
  const chunks: Chunks = new Map(files.map((chunk) => [chunk.fileName, chunk]));
  requireChunks(chunks, wanted.idle);
  const { entry, own: routes } = routeChunks(bundle);

  const parts = files.map(({ fileName, imports }) => {
    const bytes = sizeOf(chunks.get(fileName));
    return {
      id: fileName,
      bytes,
      imports,
      isFixed: routes.has(fileName),
      isLarge: bytes > large && !entry.has(fileName),
    };
  });
  const planned = planChunks(parts, loadsOf(bundle, chunks, wanted));
  const names = planned.flatMap((ids, index) =>
    ids.flatMap((id) =>
      Object.keys(chunks.get(id)?.modules ?? {}).map((module) => [module, `shared-${index}`] as const),
    ),
  );
  const byModule = new Map(names);
  return (moduleId) => byModule.get(moduleId) ?? null;
}
