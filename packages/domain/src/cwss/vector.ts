import {
  cwssFactors,
  cwssOrder,
  cwssValueOf,
  isCwssFactor,
  positiveWeight,
  quantified,
  weightUnit,
  type CwssFactor,
  type CwssFactorRules,
} from './factors.ts';

/** What a vector states for one factor. */
export interface CwssChoice {
  /** Code of the value, or Q. */
  readonly code: string;
  /** In units of 1/10,000. */
  readonly weight: number;
}

export type CwssChoices = Readonly<Record<CwssFactor, CwssChoice>>;

export interface CwssVector {
  readonly ok: true;
  readonly choices: CwssChoices;
  /** Canonical: brackets, the order of the standard, the weights of the table. */
  readonly vector: string;
  /** What was ignored or replaced while reading. */
  readonly warnings: readonly string[];
}

export interface CwssVectorError {
  readonly ok: false;
  /** The invalid or missing factor; null when the whole vector is invalid. */
  readonly factor: string | null;
  readonly message: string;
}

const fault = (factor: string | null, message: string): CwssVectorError => ({ ok: false, factor, message });

/** Characters; a canonical vector has about 150, a link of a calculator about 250. */
const longestVector = 1000;

/** Decimals of a weight. */
const mostDecimals = 4;

/** Removed from the standard before version 1.0; has no effect on the score. */
const removedFactor = 'RE';
const removedFactorWarning = 'RE (Remediation Effort) is not a factor of CWSS 1.0.1 and is ignored.';

/** Text of the caller as messages quote it. */
const shortened = (text: string): string => text.slice(0, 40);

/** '0.9' of 9000; at least one decimal, as the standard prints weights. */
export function weightText(weight: number): string {
  const decimals = String(weight % weightUnit).padStart(mostDecimals, '0');
  return `${Math.floor(weight / weightUnit)}.${decimals.replace(/0+$/u, '') || '0'}`;
}

/** Each factor with its value Default: nothing has been analysed. */
export const defaultCwss = Object.fromEntries(
  cwssOrder.map((factor) => [factor, { code: 'D', weight: cwssValueOf(factor, 'D')?.weight ?? 0 }]),
) as unknown as CwssChoices;

/** Factors whose value is Default or Unknown: the score is incomplete while there are any. */
export const incompleteFactors = (choices: CwssChoices): CwssFactor[] =>
  cwssOrder.filter((factor) => ['D', 'U', 'UK'].includes(choices[factor].code));

/** The canonical vector string (CWSS 1.0.1, section 3). */
export const cwssVectorOf = (choices: CwssChoices): string =>
  `(${cwssOrder.map((factor) => `${factor}:${choices[factor].code},${weightText(choices[factor].weight)}`).join('/')})`;

/** Codes are read in any case; only ASCII, because other characters have upper forms in ASCII, too. */
const upper = (text: string): string => text.replaceAll(/[a-z]/gu, (one) => one.toUpperCase());

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The part of a link that has the factors: the first parameter with a colon, of the fragment before the query. */
function vectorOfLink(link: string): string {
  const [address = '', ...fragments] = link.split('#');
  const [, query = ''] = address.split('?');
  const parameters = [...fragments.toReversed(), query].flatMap((part) => part.split(/[?&]/u));
  return (parameters.find((one) => one.includes(':')) ?? '').replace(/^[^:=]*=/u, '');
}

/** The factors of a vector or of a link of a calculator, without white space, brackets and slashes around them. */
function bodyOf(text: string): string {
  const written = decoded(text).replaceAll(/\s+/gu, '');
  const vector = /[#?]/u.test(written) ? vectorOfLink(written) : written;
  return vector.replace(/^[!/(]+/u, '').replace(/[/)]+$/u, '');
}

/**
 * A weight with more than four decimals is rounded, but not to 0.
 *
 * @returns undefined when the text is not a number from 0 to 1
 */
function weightOf(text: string): number | undefined {
  if (!/^(?:0(?:\.\d+)?|1(?:\.0+)?)$/u.test(text)) return undefined;
  return /[1-9]/u.test(text) ? positiveWeight(Number(text)) : 0;
}

/** Whether a weight has decimals, other than zeros, that it loses by rounding. */
const isRounded = (text: string): boolean => /\.\d{4}\d*[1-9]/u.test(text);

/** What is wrong with an unknown value of a factor, with the values that it has. */
export function noSuchCwssValue(factor: CwssFactor, code: string): string {
  const { label, values }: CwssFactorRules = cwssFactors[factor];
  const all = values.map((one) => `${one.code} (${one.label})`).join(', ');
  return `${factor} (${label}) has no value "${shortened(code)}". Its values are ${all}, and Q (Quantified).`;
}

function readChoice(
  factor: CwssFactor,
  { code, weight: written }: { code: string; weight: string | undefined },
  warnings: string[],
): CwssChoice | CwssVectorError {
  const { label }: CwssFactorRules = cwssFactors[factor];
  const weight = written === undefined ? undefined : weightOf(written);
  const named = `${factor} (${label})`;
  if (written !== undefined && weight === undefined)
    return fault(
      factor,
      `${named} has the weight "${shortened(written)}"; a weight is a number from 0 to 1.`,
    );
  if (upper(code) === quantified) {
    if (weight === undefined)
      return fault(factor, `${named} is quantified (Q) and needs a weight, as in ${factor}:Q,0.75.`);
    if (written !== undefined && isRounded(written))
      warnings.push(
        `${factor}:${quantified} has the weight ${weightText(weight)}; the ${shortened(written)} in the vector was rounded to four decimals.`,
      );
    return { code: quantified, weight };
  }
  const known = cwssValueOf(factor, upper(code));
  if (known === undefined) return fault(factor, noSuchCwssValue(factor, code));
  if (weight !== undefined && weight !== known.weight)
    warnings.push(
      `${factor}:${known.code} has the weight ${weightText(known.weight)}; the ${written} in the vector is ignored.`,
    );
  return { code: known.code, weight: known.weight };
}

/**
 * Reads a CWSS 1.0.1 vector: with or without brackets, weights and a trailing slash, with white space, in any order and
 * case, or a link of a calculator with a vector in its fragment or query, also percent-encoded. The weight of the table is valid for every value but Q.
 * Every factor must be present once.
 */
export function parseCwssVector(text: string): CwssVector | CwssVectorError {
  if (text.trim() === '') return fault(null, 'The CWSS vector is empty.');
  if (text.length > longestVector) return fault(null, 'The CWSS vector is too long.');
  const warnings: string[] = [];
  const choices = new Map<CwssFactor, CwssChoice>();
  let body = bodyOf(text);
  if (body === '') return fault(null, 'The text has no CWSS vector.');
  const prefix = /^(CWSS:[\d.]+\/)[/(]*/iu.exec(body);
  if (prefix !== null) {
    body = body.slice(prefix[0].length);
    warnings.push(`The prefix ${prefix[1]} is not part of a CWSS vector and is ignored.`);
  }
  for (const part of body.split('/')) {
    const [, named, code, weight] = /^([^:,]*):([^:,]*)(?:,([^:,]*))?$/u.exec(part) ?? [];
    if (named === undefined || code === undefined)
      return fault(null, `"${shortened(part)}" is not a CWSS factor, which is written as TI:H,0.9.`);
    const factor = upper(named);
    if (factor === removedFactor) {
      if (!warnings.includes(removedFactorWarning)) warnings.push(removedFactorWarning);
      continue;
    }
    if (!isCwssFactor(factor)) return fault(shortened(named), `CWSS has no factor "${shortened(named)}".`);
    if (choices.has(factor)) return fault(factor, `Duplicate factor: ${factor}.`);
    const choice = readChoice(factor, { code, weight }, warnings);
    if ('ok' in choice) return choice;
    choices.set(factor, choice);
  }
  const missing = cwssOrder.filter((factor) => !choices.has(factor));
  if (missing.length > 0)
    return fault(
      missing[0] ?? null,
      `Missing factor${missing.length > 1 ? 's' : ''}: ${missing.join(', ')}.`,
    );
  const complete = Object.fromEntries(choices) as unknown as CwssChoices;
  return { ok: true, choices: complete, vector: cwssVectorOf(complete), warnings };
}
