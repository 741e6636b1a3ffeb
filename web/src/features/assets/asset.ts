import { assetEntity, assets } from '@riskboard/contract';
import type { Entity, FormRules } from '../../lib/entity/entity.ts';
import { messagesOf } from '../../lib/entity/messages.ts';

const form: FormRules = {
  // The form always names the project (spec 5, Asset).
  schemaOf: ({ NewAssetInProject }) => NewAssetInProject,
  queryOf: ({ projectId }) => ({ projectId: String(projectId) }),
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
