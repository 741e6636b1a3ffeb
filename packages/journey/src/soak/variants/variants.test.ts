import { describe, expect, it } from 'vitest';
import { checkHistory } from '../checker/check-history.ts';
import { historyOf } from '../history.ts';
import { runSoak } from '../run-soak.ts';
import { provoke, type VariantName } from './variants.ts';

describe('a product without the sweep, the fence of a run and the unique key of names', () => {
  it('is found wrong by the checker in all three ways', async () => {
    const naive = Object.keys(provoke) as VariantName[];
    const options = { minutes: 1, seed: 1, backend: 'Redis', clients: 2, pauseMs: 0, naive } as const;
    const violations = checkHistory(historyOf(await runSoak(options, () => undefined)));
    const messages = violations.map(({ rule, message }) => `${rule}: ${message}`);
    expect(messages).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^nothing is double: 2 files are named pair-\d+\.json/u),
        expect.stringMatching(
          /^nothing is double: fence\.json has 2 extractions in the log for 1 succeeded/u,
        ),
        expect.stringMatching(/^no job is stuck: The job .* is still queued at attempt 0/u),
      ]),
    );
  }, 240_000);
});
