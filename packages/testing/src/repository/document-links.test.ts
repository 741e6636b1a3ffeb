import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../../..');
const documents = globSync(['*.md', 'docs/**/*.md'], { cwd: root }).map((file) => file.split(sep).join('/'));

/** The anchors of the headings, as GitHub makes them. */
const anchorsOf = (file: string): ReadonlySet<string> =>
  new Set(
    [...readFileSync(file, 'utf8').matchAll(/^#+ (?<title>.+)$/gmu)].map(({ groups }) =>
      (groups?.['title'] ?? '')
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );

const isBroken = (document: string, link: string): boolean => {
  const [path = '', anchor] = link.split('#');
  const file = path === '' ? join(root, document) : join(root, dirname(document), path);
  if (!existsSync(file)) return true;
  return anchor !== undefined && !anchorsOf(file).has(anchor);
};

it.each(documents)('%s links only to existing files and headings', (document) => {
  const links = [...readFileSync(join(root, document), 'utf8').matchAll(/\]\((?<link>[^)\s]+)\)/gu)]
    .map(({ groups }) => groups?.['link'] ?? '')
    .filter((link) => !link.startsWith('https://'));
  expect(links.filter((link) => isBroken(document, link))).toEqual([]);
});
