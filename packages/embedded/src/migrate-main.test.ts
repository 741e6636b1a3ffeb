import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('the migration without an address of a database ends with 78, as for every wrong configuration', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'migrate-main.ts')], {
    env: {},
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({
    status: 78,
    stderr: 'DATABASE_URL is required; npm start migrates the embedded database.\n',
  });
});
