import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../../..');
const documents = globSync(['*.md', 'docs/**/*.md'], { cwd: root }).map((file) => file.split(sep).join('/'));

/** Ids of commits, short or complete. Ids of digits alone are left out, because they look like other numbers. */
const commitIds = (document: string): string[] =>
  [
    ...readFileSync(join(root, document), 'utf8').matchAll(
      /(?<![\w#/.-])(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}(?![\w-])/gu,
    ),
  ].map(([id]) => id);

const git = (...options: string[]): string | null => {
  const { status, stdout } = spawnSync('git', options, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
  });
  return status === 0 ? stdout.trim() : null;
};

/** The first digits of each id of the history; null in a copy without git or with a part of the history. */
function history(): ReadonlySet<string> | null {
  if (git('rev-parse', '--is-shallow-repository') !== 'false') return null;
  const ids = git('rev-list', 'HEAD')?.split('\n');
  return ids ? new Set(ids.map((id) => id.slice(0, 7))) : null;
}
const commits = history();

it.skipIf(commits === null)('documents cite only commits that are in the history', () => {
  const cited = documents.flatMap((document) => commitIds(document).map((id) => ({ document, id })));
  expect(cited.length).toBeGreaterThan(50);
  expect(cited.filter(({ id }) => !commits?.has(id.slice(0, 7)))).toEqual([]);
});
