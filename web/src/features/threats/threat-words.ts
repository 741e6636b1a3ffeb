import { riskBands } from '@riskboard/domain';
import { withdrawalWords } from '../../lib/record-words.ts';

const activity: Readonly<Record<string, string>> = { true: 'Active', false: 'Inactive' };

/** Values of the list's fields as people read them, where the contract does not say so itself. */
export const threatWords = {
  risk: (value: string) => riskBands.find((band) => band.value === value)?.label,
  isActive: (value: string) => activity[value],
  withdrawn: (value: string) => withdrawalWords[value],
} as const;
