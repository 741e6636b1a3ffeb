import { weightUnit, type CwssFactor, type CwssGroup } from './factors.ts';
import type { CwssChoices } from './vector.ts';

export interface CwssScore {
  /** 0-100, one decimal, half up. */
  readonly score: number;
  /** The score before rounding. */
  readonly raw: number;
  /** Base Finding, 0-100. */
  readonly base: number;
  /** Attack Surface, 0-1. */
  readonly attackSurface: number;
  /** Environmental, 0-1. */
  readonly environmental: number;
}

/** A rational number whose denominator is a power of ten. */
interface Decimal {
  readonly units: bigint;
  /** Number of decimals. */
  readonly scale: number;
}

/** With all decimals, also zeros at the end. */
function digitsOf({ units, scale }: Decimal): string {
  const digits = String(units).padStart(scale + 1, '0');
  return `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** The nearest double of an exact decimal. */
const numberOf = (decimal: Decimal): number => Number(digitsOf(decimal));

/** Without zeros at the end. */
const textOf = (decimal: Decimal): string => digitsOf(decimal).replace(/\.?0+$/u, '');

/** Decimals of one weight. */
const weightScale = String(weightUnit).length - 1;

type Product = Record<CwssGroup | 'raw', Decimal>;

/** Base Finding x Attack Surface x Environmental (CWSS 1.0.1, section 2.3). */
function productOf(choices: CwssChoices): Product {
  const weight = (factor: CwssFactor): bigint => BigInt(choices[factor].weight);
  const unlessZero = (factor: CwssFactor): bigint => (weight(factor) === 0n ? 0n : 1n);

  const finding = 10n * weight('TI') + 5n * (weight('AP') + weight('AL')) + 5n * weight('FC');
  const base: Decimal = {
    units: 4n * finding * unlessZero('TI') * weight('IC'),
    scale: 2 * weightScale,
  };
  const attackSurface: Decimal = {
    units:
      20n * (weight('RP') + weight('RL') + weight('AV')) +
      20n * weight('SC') +
      15n * weight('IN') +
      5n * weight('AS'),
    scale: weightScale + 2,
  };
  // Division by 20 as multiplication by 5 and two more decimals.
  const environment = 10n * weight('BI') + 3n * weight('DI') + 4n * weight('EX') + 3n * weight('P');
  const environmental: Decimal = {
    units: 5n * environment * unlessZero('BI') * weight('EC'),
    scale: 2 * weightScale + 2,
  };
  const raw: Decimal = {
    units: base.units * attackSurface.units * environmental.units,
    scale: base.scale + attackSurface.scale + environmental.scale,
  };
  return { base, attackSurface, environmental, raw };
}

/**
 * Scores the 16 factors (CWSS 1.0.1, section 2.3). The arithmetic is exact: sub-scores are not rounded, and the score is
 * rounded once, half up.
 */
export function scoreCwss(choices: CwssChoices): CwssScore {
  const { base, attackSurface, environmental, raw } = productOf(choices);
  const tenth = 10n ** BigInt(raw.scale - 1);
  return {
    score: numberOf({ units: (raw.units + tenth / 2n) / tenth, scale: 1 }),
    raw: numberOf(raw),
    base: numberOf(base),
    attackSurface: numberOf(attackSurface),
    environmental: numberOf(environmental),
  };
}

/** The sub-scores and the score before rounding with all their decimals: the sub-scores multiply to it exactly. */
export function cwssProduct(choices: CwssChoices): Record<CwssGroup | 'raw', string> {
  const { base, attackSurface, environmental, raw } = productOf(choices);
  return {
    base: textOf(base),
    attackSurface: textOf(attackSurface),
    environmental: textOf(environmental),
    raw: textOf(raw),
  };
}
