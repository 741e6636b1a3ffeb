import { threatEntity } from '@riskboard/contract';
import { threatSource } from '@riskboard/db';
import { derivedRiskLevel, riskBandOf } from '@riskboard/domain';
import type { Values } from '../lib/columns.ts';
import { recordRules } from '../records/record-rules.ts';

/**
 * A risk level that is not given is 4 x likelihood x impact, marked as derived (contract, Scales). A level that is sent
 * back unchanged, with the likelihood and impact it was read with, keeps its source. A derived level that is sent back
 * with other ones is not given either: the client only read it.
 */
function derivedColumns(input: Values, now: Values | undefined): Values {
  const isDerivedNow = now?.['risk_level_source'] === 'derived';
  const sent = input['risk_level'];
  const given = isDerivedNow && sent === now['risk_level'] ? undefined : sent;
  const isUnchanged = (column: string) => input[column] === undefined || input[column] === now?.[column];
  if (now !== undefined && ['risk_level', 'likelihood', 'impact'].every(isUnchanged)) return {};
  if (typeof given === 'number') return { risk_level_source: '' };
  const isDerived = given === null || now === undefined || isDerivedNow || now['risk_level'] === null;
  if (!isDerived) return {};
  return derivedLevel({ ...now, ...input });
}

/** The risk level from likelihood and impact, with its source. */
function derivedLevel(row: Values): Values {
  const level = (column: string): number | null => {
    const value = row[column];
    return typeof value === 'number' ? value : null;
  };
  const derived = derivedRiskLevel(level('likelihood'), level('impact'));
  return { risk_level: derived, risk_level_source: derived === null ? '' : 'derived' };
}

/** The level is derived where the reports state none. */
const followingColumns = (now: Values, { risk_level: level, risk_level_source: source }: Values): Values =>
  level === null || source === 'derived' ? derivedLevel(now) : {};

export const threatRules = recordRules({
  entity: threatEntity,
  source: threatSource,
  together: [['risk_level', 'risk_level_source']],
  derivedColumns,
  followingColumns,
  exportedValues: ({ riskLevel }) => ({
    risk: typeof riskLevel === 'number' ? riskBandOf(riskLevel).value : null,
  }),
});
