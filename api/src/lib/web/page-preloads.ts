import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const segmentsOf = (pathname: string) => pathname.split('/').filter((segment) => segment !== '');

/** How exactly a page's path, '/dashboard/threats/$id', fits an address; undefined: not at all. */
function fitOf(page: readonly string[], asked: readonly string[]): number | undefined {
  if (page.length !== asked.length) return undefined;
  if (!page.every((segment, index) => segment.startsWith('$') || segment === asked[index])) return undefined;
  return page.filter((segment) => !segment.startsWith('$')).length;
}

/**
 * Links to the JavaScript of the page at an address, from the `pages.json` of the web's build, for the head of its
 * index.html: without them a browser asks for it only after the entry has run. Empty where there is none to name.
 * @param root folder of the build
 */
export function pagePreloads(root: string): (url: string) => string {
  const file = path.join(root, 'pages.json');
  const pages = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, readonly string[]>)
    : {};
  const known = Object.entries(pages).map(([page, files]) => ({
    segments: segmentsOf(page),
    links: files.map((href) => `<link rel="modulepreload" crossorigin href="${href}">`).join(''),
  }));

  return (url) => {
    const asked = segmentsOf(url.split('?', 1)[0] ?? '');
    const fitting = known.flatMap(({ segments, links }) => {
      const fit = fitOf(segments, asked);
      return fit === undefined ? [] : [{ fit, links }];
    });
    return fitting.toSorted((a, b) => b.fit - a.fit)[0]?.links ?? '';
  };
}
