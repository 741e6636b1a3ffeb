import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.join(import.meta.dirname, 'src');
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) =>
  /\.tsx?$/u.test(file),
);
const isTest = (file: string) => /\.test\.tsx?$/u.test(file) || file.startsWith('testing/');

/** Files that a file imports by a relative path, statically, dynamically or for a type. */
function importsOf(file: string): string[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+\.tsx?)'/gu)].map(([, target = '']) =>
    path.join(path.dirname(file), target),
  );
}

const imports = files.flatMap((file) => importsOf(file).map((target) => ({ file, target })));
const layerOf = (file: string) => file.split('/')[0] ?? '';
const featureOf = (file: string) => /^features\/([^/]+)\//u.exec(file)?.[1];
const text = ({ file, target }: { file: string; target: string }) => `${file} -> ${target}`;

test('the imports of the web are found', () => {
  expect(imports.length).toBeGreaterThan(1000);
});

test('no feature imports another feature', () => {
  const crossing = imports.filter(({ file, target }) => {
    const other = featureOf(target);
    return !isTest(file) && featureOf(file) !== undefined && other !== undefined && featureOf(file) !== other;
  });
  expect(crossing.map(text)).toEqual([]);
});

test('ui and lib import no feature and no route, features import no route', () => {
  const upward = imports.filter(({ file, target }) => {
    if (isTest(file)) return false;
    if (['ui', 'lib'].includes(layerOf(file))) return ['features', 'routes'].includes(layerOf(target));
    return layerOf(file) === 'features' && layerOf(target) === 'routes';
  });
  expect(upward.map(text)).toEqual([]);
});
