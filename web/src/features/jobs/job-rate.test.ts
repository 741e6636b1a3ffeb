import { describe, expect, it } from 'vitest';
import { jobOf } from '../../testing/rows.ts';
import { duration } from '../../lib/format/duration.ts';
import { elapsedOf, rateOf, sampled, type Sample } from './job-rate.ts';

const running = (phase: string, done: number) =>
  jobOf({ state: 'running', progress: { phase, done, total: 1000 } });

describe('job rate', () => {
  it('is computed from the latest samples of the current phase', () => {
    let samples: readonly Sample[] = [];
    samples = sampled(samples, running('reading', 0), 0);
    samples = sampled(samples, running('reading', 400), 2000);
    expect(rateOf(samples)).toBe(200);
    samples = sampled(samples, running('saving', 10), 2200);
    expect(rateOf(samples)).toBeNull();
  });

  it('ignores samples older than ten seconds', () => {
    let samples: readonly Sample[] = [];
    samples = sampled(samples, running('reading', 0), 0);
    samples = sampled(samples, running('reading', 100), 20_000);
    samples = sampled(samples, running('reading', 200), 21_000);
    expect(rateOf(samples)).toBe(100);
  });

  it('is null for a single sample and for samples less than half a second apart', () => {
    const one = sampled([], running('reading', 5), 0);
    expect(rateOf(one)).toBeNull();
    expect(rateOf(sampled(one, running('reading', 50), 100))).toBeNull();
  });
});

describe('elapsed time', () => {
  it('follows the clock, stops when the job ends and is never negative', () => {
    const job = jobOf({ state: 'running', startedAt: '2026-11-21T10:00:00.000Z' });
    expect(elapsedOf(job, Date.parse('2026-11-21T10:00:07.000Z'))).toBe(7000);
    expect(elapsedOf(job, Date.parse('2026-11-21T09:59:58.000Z'))).toBe(0);
    expect(elapsedOf({ ...job, finishedAt: '2026-11-21T10:00:03.000Z' }, Date.now())).toBe(3000);
    expect(elapsedOf(jobOf({ startedAt: null }), Date.now())).toBeNull();
  });

  it.each([
    [12, 'under 0.1 s'],
    [420, '0.4 s'],
    [999, '1 s'],
    [12_400, '12 s'],
    [185_000, '3 min 05 s'],
    [3_725_000, '1 h 02 min'],
  ])('%d ms is formatted as %s', (ms, text) => expect(duration(ms)).toBe(text));
});
