import { assetEntity, assets, type Asset } from '@riskboard/contract';
import { assetHealth, assetRiskScore } from '@riskboard/domain';
import type { Entity, FormRules } from '../../lib/entity/entity.ts';
import { messagesOf } from '../../lib/entity/messages.ts';

const form: FormRules = {
  // The form always names the project (spec 5, Asset).
  schemaOf: ({ NewAssetInProject }) => NewAssetInProject,
  queryOf: ({ projectId }) => ({ projectId: String(projectId) }),
  derivedOf(record) {
    const { criticality, confidentialityLevel, integrityLevel, availabilityLevel } = record as Pick<
      Asset,
      'criticality' | 'confidentialityLevel' | 'integrityLevel' | 'availabilityLevel'
    >;
    const unrelated = { threats: 0, vulnerabilities: 0 };
    return {
      projectName: '',
      threatCount: 0,
      vulnerabilityCount: 0,
      health: assetHealth(unrelated),
      riskScore: assetRiskScore({
        criticality,
        confidentiality: confidentialityLevel,
        integrity: integrityLevel,
        availability: availabilityLevel,
        ...unrelated,
      }),
    };
  },
  alwaysSent: ['projectId', 'isActive'],
};

/** Assets, as every page of them needs them. */
export const asset = {
  ...assetEntity,
  calls: assets,
  messages: messagesOf(assetEntity, {
    loadFailed: 'Unable to load asset details. Please try again later.',
  }),
  form,
} as const satisfies Entity;
