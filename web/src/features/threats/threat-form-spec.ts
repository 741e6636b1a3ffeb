import type { Related, ThreatDetail } from '@riskboard/contract';
import { fiveLevels, threatTypes, threeLevels } from '@riskboard/domain';
import { fieldLabel } from '../../lib/record-words.ts';
import type { FormSpec } from '../../ui/form/form-spec.ts';
import { itemsOf } from '../../ui/form/items.ts';
import { numberOf, numberText } from '../../ui/form/number-text.ts';
import { problemsBy } from '../../ui/form/problems.ts';

/** A threat as its form holds it (spec 3). */
export interface ThreatValues {
  name: string;
  description: string;
  threatID: string;
  threatTypeId: string;
  threatCategory: string;
  source: string;
  isActive: boolean;
  motivation: string;
  motivationDescription: string;
  capability: string;
  capabilityDescription: string;
  likelihood: string;
  likelihoodDescription: string;
  impact: string;
  impactDescription: string;
  riskLevel: string;
  mitigationStrategy: string;
  relatedAssets: readonly Related[];
  reference: string;
}

const blank: ThreatValues = {
  name: '',
  description: '',
  threatID: '',
  threatTypeId: '',
  threatCategory: '',
  source: '',
  isActive: true,
  motivation: '',
  motivationDescription: '',
  capability: '',
  capabilityDescription: '',
  likelihood: '',
  likelihoodDescription: '',
  impact: '',
  impactDescription: '',
  riskLevel: '',
  mitigationStrategy: '',
  relatedAssets: [],
  reference: '',
};

const valuesOf = (record: ThreatDetail | undefined): ThreatValues =>
  record === undefined
    ? blank
    : {
        name: record.name,
        description: record.description,
        threatID: record.threatID,
        threatTypeId: numberText(record.threatTypeId),
        threatCategory: record.threatCategory,
        source: record.source,
        isActive: record.isActive,
        motivation: numberText(record.motivation),
        motivationDescription: record.motivationDescription,
        capability: numberText(record.capability),
        capabilityDescription: record.capabilityDescription,
        likelihood: numberText(record.likelihood),
        likelihoodDescription: record.likelihoodDescription,
        impact: numberText(record.impact),
        impactDescription: record.impactDescription,
        // Blank means derived (contract, Scales): it follows likelihood and impact as they are changed.
        riskLevel: record.riskLevelSource === 'derived' ? '' : numberText(record.riskLevel),
        mitigationStrategy: record.mitigationStrategy,
        relatedAssets: record.relatedAssets,
        reference: record.reference,
      };

/** As the API takes it: numbers as numbers or an empty string, blank texts as empty strings (spec 5). */
const bodyOf = (values: ThreatValues) => ({
  name: values.name.trim(),
  description: values.description.trim(),
  threatID: values.threatID.trim(),
  threatTypeId: numberOf(values.threatTypeId),
  threatCategory: values.threatCategory.trim(),
  source: values.source.trim(),
  isActive: values.isActive,
  motivation: numberOf(values.motivation),
  motivationDescription: values.motivationDescription.trim(),
  capability: numberOf(values.capability),
  capabilityDescription: values.capabilityDescription.trim(),
  likelihood: numberOf(values.likelihood),
  likelihoodDescription: values.likelihoodDescription.trim(),
  impact: numberOf(values.impact),
  impactDescription: values.impactDescription.trim(),
  riskLevel: numberOf(values.riskLevel),
  mitigationStrategy: values.mitigationStrategy.trim(),
  relatedAssets: values.relatedAssets.map(({ _id }) => _id),
  reference: values.reference.trim(),
});

export type ThreatBody = ReturnType<typeof bodyOf>;

/** What a form calls otherwise than the page about the record, or alone. */
const names: Readonly<Record<string, string>> = { isActive: 'Active', relatedAssets: 'Related assets' };

const three = itemsOf(threeLevels);
const five = itemsOf(fiveLevels);

export const threatForm: FormSpec<ThreatValues, ThreatDetail, ThreatBody> = {
  labels: Object.fromEntries(
    Object.keys(blank).map((name) => [name, names[name] ?? fieldLabel('threats', name)]),
  ) as Record<keyof ThreatValues, string>,
  required: ['name', 'description'],
  items: {
    threatTypeId: itemsOf(threatTypes),
    motivation: three,
    capability: three,
    likelihood: five,
    impact: five,
  },
  valuesOf,
  bodyOf,
  problemsOf: (values, { NewThreat }) => problemsBy(NewThreat, bodyOf(values)),
};
