import { threatEntity, threats } from '@riskboard/contract';
import type { FormRules, ImportableEntity } from '../../lib/entity/entity.ts';
import { messagesOf } from '../../lib/entity/messages.ts';

const form: FormRules = {
  schemaOf: ({ NewThreat }) => NewThreat,
  // A derived level is not entered by the user: a blank level is derived from likelihood and impact (contract, Scales).
  valuesOf: (values, { riskLevelSource }) =>
    riskLevelSource === 'derived' ? { ...values, riskLevel: '' } : values,
};

/** Threats, as every page of them needs them. */
export const threat = {
  ...threatEntity,
  calls: threats,
  messages: messagesOf(threatEntity),
  form,
} as const satisfies ImportableEntity;
