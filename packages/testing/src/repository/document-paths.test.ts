import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../../..');
/** Decisions are never edited: they name the files of their time. */
const documents = [
  'README.md',
  'SECURITY.md',
  ...globSync(['docs/*.md', 'docs/performance/*.md'], { cwd: root }).map((file) => file.split(sep).join('/')),
];

const ignoredFolders = new Set(['node_modules', 'dist', '.tools', '.data', '.git', 'coverage']);
const names = new Set(
  globSync(['**/*.*', '.*'], { cwd: root, exclude: (file) => ignoredFolders.has(basename(file)) }).map(
    (file) => basename(file),
  ),
);
const folders: ReadonlySet<string> = new Set(
  readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !ignoredFolders.has(entry.name))
    .map(({ name }) => name),
);
/** Files that the product writes. */
const written = new Set(['secrets.json']);

/** Terms in backticks and of code blocks. */
const quotedTerms = (document: string): string[] =>
  [
    ...readFileSync(join(root, document), 'utf8').matchAll(
      /^```.*?$(?<block>.*?)^```$|`(?<inline>[^`]+)`/gmsu,
    ),
  ].flatMap(({ groups }) => (groups?.['block'] ?? groups?.['inline'] ?? '').split(/\s+/u));

/** `packages/db/src`, but not `/api/jobs`, a pattern or an address. */
const isPath = (term: string): boolean =>
  /^[\w.@$-]+(?:\/[\w.@$-]+)+\/?$/u.test(term) && folders.has(term.split('/')[0] ?? '');
const isFileName = (term: string): boolean =>
  /^[\w.$-]+\.(?:md|ts|tsx|mjs|sql|json|yaml|yml|sh)$/u.test(term) && !written.has(term);

it.each(documents)('%s names only existing files and folders', (document) => {
  const terms = quotedTerms(document);
  const absent = terms.filter(
    (term) => (isPath(term) && !existsSync(join(root, term))) || (isFileName(term) && !names.has(term)),
  );
  expect(absent).toEqual([]);
});

it('finds the paths of documents', () => {
  const found = documents.flatMap((document) => quotedTerms(document).filter((term) => isPath(term)));
  expect(new Set(found).size).toBeGreaterThan(300);
});
