import { threatSource } from '@riskboard/db';
import { derivedRiskLevel } from '@riskboard/domain';
import type { RecordKind, Values } from '../records/kind.ts';

/** Fields that a person may set, and their columns. */
const columns = {
  name: 'name',
  description: 'description',
  threatID: 'threat_id',
  threatTypeId: 'threat_type_id',
  source: 'source',
  threatCategory: 'threat_category',
  motivation: 'motivation',
  motivationDescription: 'motivation_description',
  capability: 'capability',
  capabilityDescription: 'capability_description',
  likelihood: 'likelihood',
  likelihoodDescription: 'likelihood_description',
  impact: 'impact',
  impactDescription: 'impact_description',
  riskLevel: 'risk_level',
  mitigationStrategy: 'mitigation_strategy',
  reference: 'reference',
  isActive: 'is_active',
} as const;

/**
 * When the risk level is not given it is 4 x likelihood x impact, marked as derived (contract, Scales). One that comes
 * back as it was read, with what it follows from, is nobody's word and stays what it is.
 */
function derive(asked: Values, now: Values | undefined): Values {
  const given = asked['risk_level'];
  const stays = (column: string) => asked[column] === undefined || asked[column] === now?.[column];
  if (typeof given === 'number')
    return ['risk_level', 'likelihood', 'impact'].every(stays) ? {} : { risk_level_source: '' };
  const follows =
    given === null ||
    now === undefined ||
    now['risk_level_source'] === 'derived' ||
    now['risk_level'] === null;
  const moved = asked['likelihood'] !== undefined || asked['impact'] !== undefined;
  if (!follows || (given === undefined && !moved && now !== undefined)) return {};
  const level = (column: string): number | null => {
    const value = asked[column] === undefined ? now?.[column] : asked[column];
    return typeof value === 'number' ? value : null;
  };
  const derived = derivedRiskLevel(level('likelihood'), level('impact'));
  return { risk_level: derived, risk_level_source: derived === null ? '' : 'derived' };
}

export const threatKind: RecordKind = {
  noun: 'threats',
  table: 'threat',
  words: { one: 'threat', many: 'threats' },
  event: 'threat.changed',
  source: threatSource,
  columns,
  together: [['risk_level', 'risk_level_source']],
  derive,
};
