import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { errors } from './errors.ts';

it('docs/operations.md lists every error code with its status, and no other', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/operations.md'), 'utf8');
  const [, section = ''] = /^## Error codes$(.*?)^## /msu.exec(text) ?? [];
  const listed = [...section.matchAll(/^\| `(\w+)` \| (\d+) \| [^|]+ \|/gmu)].map(([, code, status]) => [
    code,
    Number(status),
  ]);
  expect(listed).toEqual(Object.entries(errors).map(([code, { status }]) => [code, status]));
});
