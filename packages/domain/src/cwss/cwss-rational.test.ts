import { expect, it } from 'vitest';
import { cwssFactors, cwssOrder, type CwssFactor } from './factors.ts';
import { scoreCwss } from './score.ts';
import type { CwssChoices } from './vector.ts';

/** A fraction of integers. */
type Fraction = readonly [bigint, bigint];

const times = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * c, b * d];
const plus = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * d + c * b, b * d];
const whole = (n: number): Fraction => [BigInt(n), 1n];

/** The formula as the standard prints it, in fractions, written without a look at the other implementation. */
function tenthsOf(choices: CwssChoices): bigint {
  const w = (factor: CwssFactor): Fraction => [BigInt(choices[factor].weight), 10_000n];
  const f = (factor: CwssFactor): Fraction => (choices[factor].weight === 0 ? whole(0) : whole(1));
  const sum = (...parts: readonly Fraction[]): Fraction => parts.reduce(plus);
  const finding = sum(
    times(whole(10), w('TI')),
    times(whole(5), plus(w('AP'), w('AL'))),
    times(whole(5), w('FC')),
  );
  const base = [f('TI'), w('IC'), whole(4)].reduce(times, finding);
  const surface = sum(
    times(whole(20), sum(w('RP'), w('RL'), w('AV'))),
    times(whole(20), w('SC')),
    times(whole(15), w('IN')),
    times(whole(5), w('AS')),
  );
  const environment = sum(
    times(whole(10), w('BI')),
    times(whole(3), w('DI')),
    times(whole(4), w('EX')),
    times(whole(3), w('P')),
  );
  const environmental = [f('BI'), w('EC'), [1n, 20n] as const].reduce(times, environment);
  const [n, d] = [times(surface, [1n, 100n]), environmental].reduce(times, base);
  return (20n * n + d) / (2n * d);
}

/** xorshift32: the same vectors at every run. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

// CWSS_VECTORS=1000000 compares a million in about half a minute.
const vectors = Number(process.env['CWSS_VECTORS'] ?? 20_000);

it('random vectors have the score that exact fractions give', { timeout: 300_000 }, () => {
  const random = randomNumbers(20_140_905);
  const differing: CwssChoices[] = [];
  for (let n = 0; n < vectors; n += 1) {
    const choices = Object.fromEntries(
      cwssOrder.map((factor) => {
        const { values } = cwssFactors[factor];
        const at = Math.floor(random() * (values.length + 1));
        return [factor, values[at] ?? { code: 'Q', weight: Math.floor(random() * 10_001) }];
      }),
    ) as unknown as CwssChoices;
    if (Math.round(scoreCwss(choices).score * 10) !== Number(tenthsOf(choices))) differing.push(choices);
  }
  expect(differing).toEqual([]);
});
