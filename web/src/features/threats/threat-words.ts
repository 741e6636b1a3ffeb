import { fiveLevels, riskBands, threatTypes, threeLevels } from '@riskboard/domain';
import { levelWord } from '../../lib/record-words.ts';

const withdrawals: Readonly<Record<string, string>> = { revoked: 'Revoked', deprecated: 'Deprecated' };
const activity: Readonly<Record<string, string>> = { true: 'Active', false: 'Inactive' };
const on = (scale: Readonly<Record<number, string>>) => (value: string) => levelWord(scale, value);

/** Values of the list's fields as people read them. */
export const threatWords = {
  threatTypeId: on(threatTypes),
  motivation: on(threeLevels),
  capability: on(threeLevels),
  likelihood: on(fiveLevels),
  impact: on(fiveLevels),
  risk: (value: string) => riskBands.find((band) => band.value === value)?.label,
  isActive: (value: string) => activity[value],
  withdrawn: (value: string) => withdrawals[value],
} as const;
