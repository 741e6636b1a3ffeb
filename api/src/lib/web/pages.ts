import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const segmentsOf = (pathname: string) => pathname.split('/').filter((segment) => segment !== '');

/** Number of literal segments when a page's path, '/dashboard/threats/$id', matches; undefined when it does not. */
function fitOf(page: readonly string[], requested: readonly string[]): number | undefined {
  if (page.length !== requested.length) return undefined;
  if (!page.every((segment, index) => segment.startsWith('$') || segment === requested[index]))
    return undefined;
  return page.filter((segment) => !segment.startsWith('$')).length;
}

export interface Pages {
  /** Whether the address can be a page: its first segment is that of one, '/dashboard' for '/dashboard/nothing'. */
  has(address: string): boolean;
  /** Preload links for the JavaScript of a page. Without them a browser requests it only after the entry has run. */
  preloads(address: string): string;
}

/**
 * The pages of the web build, from its `pages.json`.
 * @param root folder of the build
 */
export function readPages(root: string): Pages {
  const file = path.join(root, 'pages.json');
  const pages = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, readonly string[]>)
    : {};
  const known = Object.entries(pages).map(([page, files]) => ({
    segments: segmentsOf(page),
    links: files.map((href) => `<link rel="modulepreload" crossorigin href="${href}">`).join(''),
  }));
  const first = new Set(known.map(({ segments }) => segments[0]));

  return {
    has: (address) => first.has(segmentsOf(address)[0]),
    preloads(address) {
      const requested = segmentsOf(address);
      const fitting = known.flatMap(({ segments, links }) => {
        const fit = fitOf(segments, requested);
        return fit === undefined ? [] : [{ fit, links }];
      });
      return fitting.toSorted((a, b) => b.fit - a.fit)[0]?.links ?? '';
    },
  };
}
