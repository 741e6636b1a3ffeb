import { z } from 'zod';
import {
  Description,
  Name,
  optionalNumber,
  optionalWhole,
  RelatedIds,
  ShortText,
  Text,
} from './record-fields.ts';

const fields = {
  name: Name,
  description: Description,
  threatID: ShortText.optional(),
  threatTypeId: optionalWhole(1, 6).optional(),
  source: ShortText.optional(),
  threatCategory: ShortText.optional(),
  motivation: optionalWhole(1, 3).optional(),
  motivationDescription: Text.optional(),
  capability: optionalWhole(1, 3).optional(),
  capabilityDescription: Text.optional(),
  likelihood: optionalWhole(1, 5).optional(),
  likelihoodDescription: Text.optional(),
  impact: optionalWhole(1, 5).optional(),
  impactDescription: Text.optional(),
  /** 0-100; blank: 4 x likelihood x impact (contract, Scales). */
  riskLevel: optionalNumber(0, 100).optional(),
  mitigationStrategy: Text.optional(),
  reference: Text.optional(),
  isActive: z.boolean().optional(),
  relatedAssets: RelatedIds.optional(),
};

/** A threat made by hand (spec 5, Threat). */
export const NewThreat = z.object(fields);

/** Any subset of the fields. */
export const ThreatChange = z.object({
  ...fields,
  name: fields.name.optional(),
  description: fields.description.optional(),
});

/** What a bulk edit sets. */
export const BulkThreatChange = z
  .object({
    isActive: z.boolean().optional(),
    threatTypeId: optionalWhole(1, 6).optional(),
    threatCategory: ShortText.optional(),
    addAssets: RelatedIds.optional(),
    removeAssets: RelatedIds.optional(),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), 'Say what to change.');
