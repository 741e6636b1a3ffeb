import type { Plugin } from 'vite';
import { firstCalls } from './first-calls.ts';
import { reportLimit } from './page-limits.ts';
import { routeChunks } from './route-chunks.ts';

/** '/dashboard/threats/$id' for the file 'dashboard/threats/$id/index'. */
const pathOf = (route: string) => `/${route.replace(/(?:^|\/)index$/u, '')}`;

/** Files of every page that are not JavaScript modules: the document, theme.js, the styles, a font, the icon and the manifest. */
const others = 6;

/** The number of files that a browser requests for each page before it is shown. */
const countsOf = (pages: ReturnType<typeof routeChunks>['pages']) =>
  pages.map(({ route, files }) => ({ route, count: files.size + others }));

/**
 * Writes `pages.json`: for each page's path, its first calls and the files that it needs in addition to those in
 * index.html. The api lists them in its response, so that the browser loads them in parallel with the entry.
 * @param most files that a page may need before it is shown; more are reported
 */
export function pageFiles({ most }: { most: number }): Plugin {
  return {
    name: 'riskboard-page-files',
    apply: 'build',
    generateBundle(_, bundle) {
      const { entry, pages } = routeChunks(bundle);
      const over = countsOf(pages).filter(({ count }) => count > most);
      if (over.length > 0)
        reportLimit(
          this,
          over.map(({ route, count }) => `${route} needs ${count} files, more than ${most}`).join('; '),
        );
      const files = pages
        .filter(({ route }) => !route.endsWith('/route'))
        .map(({ route, files: needed }) => [
          pathOf(route),
          [
            ...(firstCalls[pathOf(route)] ?? []),
            ...[...needed].filter((file) => !entry.has(file)).map((file) => `/${file}`),
          ],
        ]);
      this.emitFile({
        type: 'asset',
        fileName: 'pages.json',
        source: JSON.stringify(Object.fromEntries(files)),
      });
    },
  };
}
