import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { thirdPartyNotices } from './notices.ts';
import { closure, root } from './shipped-packages.ts';

it('THIRD-PARTY-NOTICES is what `pnpm run notices` writes', () => {
  expect(readFileSync(join(root, 'THIRD-PARTY-NOTICES'), 'utf8') === thirdPartyNotices()).toBe(true);
});

it('THIRD-PARTY-NOTICES names each direct dependency', () => {
  const notices = readFileSync(join(root, 'THIRD-PARTY-NOTICES'), 'utf8');
  const own = [...closure().values()].filter(({ name }) => name.startsWith('@riskboard/'));
  const direct = own.flatMap(({ dependencies }) => Object.keys(dependencies ?? {}));
  const external = direct.filter((name) => !name.startsWith('@riskboard/'));
  expect(external.length).toBeGreaterThan(40);
  for (const name of external) expect(notices).toContain(`\n${name}@`);
});
