import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { accounts } from '@riskboard/contract';

const pathnameOf = (url: string) => url.split('?', 1)[0] ?? '';
const segmentsOf = (pathname: string) => pathname.split('/').filter((segment) => segment !== '');

/** Number of literal segments when a page's path, '/dashboard/threats/$id', matches; undefined when it does not. */
function fitOf(page: readonly string[], requested: readonly string[]): number | undefined {
  if (page.length !== requested.length) return undefined;
  if (!page.every((segment, index) => segment.startsWith('$') || segment === requested[index]))
    return undefined;
  return page.filter((segment) => !segment.startsWith('$')).length;
}

/** With the link, the reply of a call arrives while the JavaScript is loaded. */
const callLink = (address: string) =>
  `<link rel="preload" as="fetch" crossorigin href="${address.replaceAll('&', '&amp;')}">`;

/** The first call of every page behind the login. */
const accountLink = callLink(accounts.me.path);

const isCall = (address: string) => address.startsWith('/api/');

/** Characters of an id; others would need escaping in the document. */
const plain = /^[\w-]+$/u;

/** The first calls of a page with the ids of the requested address; none when the address has a query, which changes them. */
function callsOf({ segments, calls }: Page, url: string): readonly string[] {
  const requested = segmentsOf(pathnameOf(url));
  const given = segments.flatMap((segment, index) =>
    segment.startsWith('$') ? [[segment, requested[index] ?? ''] as const] : [],
  );
  if (url.includes('?') || given.some(([, value]) => !plain.test(value))) return [];
  return calls.map((call) => given.reduce((address, [name, value]) => address.replace(name, value), call));
}

interface Page {
  segments: readonly string[];
  calls: readonly string[];
  /** Links of its files. */
  links: string;
}

export interface Pages {
  /** Whether the address can be a page: its first segment is that of one, '/dashboard' for '/dashboard/nothing'. */
  has(address: string): boolean;
  /** Preload links for the JavaScript and, with a session, the first calls of a page. Without them a browser requests them only after the entry has run. */
  preloads(url: string, caller: { isSignedIn: boolean }): string;
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
  const known = Object.entries(pages).map(([page, needed]): Page => ({
    segments: segmentsOf(page),
    calls: needed.filter(isCall),
    links: needed
      .filter((address) => !isCall(address))
      .map((href) => `<link rel="modulepreload" crossorigin href="${href}">`)
      .join(''),
  }));
  const first = new Set(known.map(({ segments }) => segments[0]));

  return {
    has: (address) => first.has(segmentsOf(address)[0]),
    preloads(url, { isSignedIn }) {
      const requested = segmentsOf(pathnameOf(url));
      const fitting = known.flatMap((page) => {
        const fit = fitOf(page.segments, requested);
        return fit === undefined ? [] : [{ fit, page }];
      });
      const page = fitting.toSorted((a, b) => b.fit - a.fit)[0]?.page;
      if (page === undefined) return '';
      const account = page.segments[0] === 'dashboard' ? [accountLink] : [];
      // Without a session they would be refused. The account is asked for in any case: the page needs to know.
      const calls = isSignedIn ? callsOf(page, url) : [];
      return [...account, ...calls.map(callLink), page.links].join('');
    },
  };
}
