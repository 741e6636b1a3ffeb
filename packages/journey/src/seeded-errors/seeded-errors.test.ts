import { expect, it } from 'vitest';
import { runWithErrors } from './run-journey.ts';

it('the functional journey ends as without errors while 5 % of the transactions and messages fail, and no answer is 500', async () => {
  const { without, under } = await runWithErrors({ rate: 0.05, seed: 20_261_123, backend: 'Redis' });
  expect(without.statuses).not.toContain(503);
  expect(under.statuses).toContain(503);
  expect(under.statuses.filter((status) => status >= 500 && status !== 503)).toEqual([]);
  expect(without.visible.vulnerabilities).toHaveLength(22);
  expect(without.visible.files).toHaveLength(5);
  expect(under.visible).toEqual(without.visible);
}, 240_000);
