import { expect, it } from 'vitest';
import { cwssFactors, cwssOrder, cwssValueOf, type CwssFactor } from './factors.ts';
import { cwssProduct, scoreCwss } from './score.ts';
import type { CwssChoice, CwssChoices } from './vector.ts';

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

function randomChoices(random: () => number): CwssChoices {
  const entries = cwssOrder.map((factor): [CwssFactor, CwssChoice] => {
    const { values } = cwssFactors[factor];
    const at = Math.floor(random() * (values.length + 1));
    return [factor, values[at] ?? { code: 'Q', weight: Math.floor(random() * 10_001) }];
  });
  return Object.fromEntries(entries) as unknown as CwssChoices;
}

// CWSS_VECTORS=1000000 compares a million in about half a minute.
const vectors = Number(process.env['CWSS_VECTORS'] ?? 20_000);

it('random vectors have the score that exact fractions give', { timeout: 300_000 }, () => {
  const random = randomNumbers(20_140_905);
  const differing: CwssChoices[] = [];
  for (let n = 0; n < vectors; n += 1) {
    const choices = randomChoices(random);
    if (Math.round(scoreCwss(choices).score * 10) !== Number(tenthsOf(choices))) differing.push(choices);
  }
  expect(differing).toEqual([]);
});

/** The fraction that a decimal text states. */
function fractionOf(text: string): Fraction {
  const [integer = '', decimals = ''] = text.split('.');
  return [BigInt(integer + decimals), 10n ** BigInt(decimals.length)];
}

it('the texts of the sub-scores of random vectors multiply to the text of the score before rounding', () => {
  const random = randomNumbers(20_140_905);
  for (let n = 0; n < 2000; n += 1) {
    const { raw, ...parts } = cwssProduct(randomChoices(random));
    const [units, scale] = Object.values(parts).map(fractionOf).reduce(times);
    const [rawUnits, rawScale] = fractionOf(raw);
    expect(units * rawScale).toBe(rawUnits * scale);
  }
});

it('the texts of sub-scores have all decimals and no zeros after them', () => {
  const choices = Object.fromEntries(cwssOrder.map((factor) => [factor, cwssValueOf(factor, 'D')]));
  expect(cwssProduct(choices as unknown as CwssChoices)).toEqual({
    base: '43.2',
    attackSurface: '0.735',
    environmental: '0.3825',
    raw: '12.14514',
  });
  const all = Object.fromEntries(cwssOrder.map((factor) => [factor, cwssValueOf(factor, 'NA')]));
  expect(cwssProduct(all as unknown as CwssChoices)).toMatchObject({
    base: '100',
    environmental: '1',
    raw: '100',
  });
});
