import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { closure, root } from './shipped-packages.ts';

interface Component {
  group?: string;
  name: string;
  version: string;
}

/** Not dependencies of what ships: the pinned Node, and packages that only complete the peers of others. */
const further = /^(?:node-(?:linux|darwin)-|graphology-types@|has-flag@|supports-color@)/u;

const isOwn = (name: string): boolean => /^(?:@riskboard\/|riskboard@)/u.test(name);

it('the bill of materials lists every package that ships, and no tool of the tests', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const [command = '', ...args] = (scripts['sbom'] ?? '').replace(/ --out \S+$/u, '').split(' ');
  const output = execFileSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 16 * 1024 ** 2 });
  const { components } = JSON.parse(output) as { components: Component[] };
  const listed = components.map(
    ({ group, name, version }) => `${group === undefined ? '' : `${group}/`}${name}@${version}`,
  );
  const shipped = [...closure().values()].map(({ name, version }) => `${name}@${version}`);
  const foreign = (names: readonly string[]): string[] =>
    [...new Set(names)].filter((name) => !isOwn(name) && !further.test(name)).toSorted();
  expect(foreign(listed)).toEqual(foreign(shipped));
});
