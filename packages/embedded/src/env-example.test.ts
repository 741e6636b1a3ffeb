import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Environment } from '@riskboard/contract/environment';
import { describe, expect, it } from 'vitest';

const read = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../${name}`, import.meta.url)), 'utf8');

const [product = '', compose = ''] = read('.env.example').split('# --- docker compose only ---');
const entries = (text: string) =>
  [...text.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]);
const names = (text: string): string[] => entries(text).map(([name = '']) => name);
const usedByCompose = (): Set<string> =>
  new Set([...read('docker-compose.yml').matchAll(/\$\{([A-Z_]+)/g)].map(([, name = '']) => name));
const known = Object.keys(Environment.shape);

describe('.env.example', () => {
  it('names every variable of the product, and no other', () => {
    expect(names(product).toSorted()).toEqual(known.toSorted());
  });

  it('and the README name the same variables', () => {
    const readme = read('README.md');
    expect(known.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
  });

  it('explains each variable', () => {
    const lines = read('.env.example').split('\n');
    const bare = lines.filter((line, index) => /^[A-Z_]+=/.test(line) && !lines[index - 1]?.startsWith('# '));
    expect(bare).toEqual([]);
  });

  it('contains the defaults, so that a copy changes nothing', () => {
    expect(Environment.parse(Object.fromEntries(entries(product)))).toEqual(Environment.parse({}));
  });

  it('names every variable that docker-compose.yml uses', () => {
    const used = usedByCompose();
    const beyond = [...used].filter((name) => !known.includes(name));
    expect(names(compose).toSorted()).toEqual(beyond.toSorted());
  });

  it('says of each variable that docker-compose.yml ignores that it is not for docker compose, and of no other', () => {
    const used = usedByCompose();
    const marked = product
      .split(/\n(?=# )(?<=^[A-Z_]+=.*\n)/mu)
      .filter((text) => /Not for docker\s(?:# )?compose\b/u.test(text))
      .flatMap(names);
    expect(marked.toSorted()).toEqual(known.filter((name) => !used.has(name)).toSorted());
  });
});
