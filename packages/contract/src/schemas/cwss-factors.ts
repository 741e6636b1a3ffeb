import {
  cwssFactors,
  cwssOrder,
  cwssValueOf,
  isCwssFactor,
  noSuchCwssValue,
  quantified,
  weightUnit,
  type CwssFactor,
} from '@riskboard/domain';
import { z } from 'zod';

/** The value that an analyst sets for a factor. */
export interface CwssFactorChange {
  /** One of the factor's values, or Q. */
  value: string;
  /** 0-1 with at most four decimals. Required for Q, and refused for other values: theirs are fixed. */
  weight?: number | undefined;
  reason: string;
}

/** Factors to set, and factors to remove with null. Factors that are absent stay as they are. */
export type CwssFactorChanges = { [F in CwssFactor]?: CwssFactorChange | null | undefined };

const isWeight = (weight: number): boolean => Number.isInteger(Math.round(weight * weightUnit * 1e6) / 1e6);

/** Weights are stored with four decimals; more would be rounded, and the score would differ from the one shown. */
const Weight = z
  .number()
  .min(0, 'A weight is a number from 0 to 1.')
  .max(1, 'A weight is a number from 0 to 1.')
  .refine(isWeight, 'A weight has at most four decimals.');

function changeOf(factor: CwssFactor): z.ZodType<CwssFactorChange | null> {
  const named = `${factor} (${cwssFactors[factor].label})`;
  return z
    .strictObject({
      value: z
        .string(`Set ${named} to an object with value and reason, or to null.`)
        .trim()
        .superRefine((code, context) => {
          if (code === quantified || cwssValueOf(factor, code)) return;
          context.addIssue({ code: 'custom', message: noSuchCwssValue(factor, code) });
        })
        .meta({ enum: [...cwssFactors[factor].values.map(({ code }) => code), quantified] }),
      weight: Weight.optional(),
      reason: z.string().trim().min(1, 'Enter a reason.').max(2000),
    })
    .superRefine(({ value, weight }, context) => {
      const report = (message: string): void =>
        context.addIssue({ code: 'custom', path: ['weight'], message });
      if (value === quantified && weight === undefined)
        report(`${named} is quantified (Q) and needs a weight from 0 to 1.`);
      if (value !== quantified && weight !== undefined && cwssValueOf(factor, value))
        report(`${named} has a fixed weight for ${value}; only Q (Quantified) takes a weight.`);
    })
    .nullable();
}

const byFactor = Object.fromEntries(cwssOrder.map((factor) => [factor, changeOf(factor).optional()]));

export const CwssFactorChanges = z
  .object(byFactor)
  .catchall(z.unknown())
  .superRefine((changes, context) => {
    for (const name of Object.keys(changes).filter((one) => !isCwssFactor(one)))
      context.addIssue({
        code: 'custom',
        path: [name],
        message: `CWSS has no factor "${name.slice(0, 40)}". Its factors are ${cwssOrder.join(', ')}.`,
      });
  })
  .meta({ additionalProperties: false }) as unknown as z.ZodType<CwssFactorChanges>;
