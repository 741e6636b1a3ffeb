import type { Plugin } from 'vite';
import { routeChunks } from './route-chunks.ts';

/** '/dashboard/threats/$id' of the file 'dashboard/threats/$id/index'. */
const pathOf = (route: string) => `/${route.replace(/(?:^|\/)index$/u, '')}`;

/**
 * Writes `pages.json`: for each page's path, the files that it needs beyond those that index.html names. The api names
 * them in its answer, so that they come beside the entry and not after it has run.
 */
export function pageFiles(): Plugin {
  return {
    name: 'riskboard-page-files',
    apply: 'build',
    generateBundle(_, bundle) {
      const { entry, pages } = routeChunks(bundle);
      const files = pages
        .filter(({ route }) => !route.endsWith('/route'))
        .map(({ route, files: needed }) => [
          pathOf(route),
          [...needed].filter((file) => !entry.has(file)).map((file) => `/${file}`),
        ]);
      this.emitFile({
        type: 'asset',
        fileName: 'pages.json',
        source: JSON.stringify(Object.fromEntries(files)),
      });
    },
  };
}
