import type { Plugin } from 'vite';
import { routeChunks } from './route-chunks.ts';

/** '/dashboard/threats/$id' for the file 'dashboard/threats/$id/index'. */
const pathOf = (route: string) => `/${route.replace(/(?:^|\/)index$/u, '')}`;

/**
 * Writes `pages.json`: for each page's path, the files that it needs in addition to those in index.html. The api lists
 * them in its response, so that the browser loads them in parallel with the entry.
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
