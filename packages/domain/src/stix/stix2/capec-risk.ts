import { compact } from '../compact.ts';
import { isObject, textAt, textsAt, type JsonObject } from '../json-value.ts';
import type { ThreatData } from '../record.ts';

const likelihoods = ['low', 'medium', 'high'] as const;
const severities = ['very low', 'low', 'medium', 'high', 'very high'] as const;

/** Rank from 1 on a scale of terms, in any case; undefined for an unknown term. */
function rank(scale: readonly string[], term: string | undefined): number | undefined {
  const index = term === undefined ? -1 : scale.indexOf(term.trim().toLowerCase());
  return index === -1 ? undefined : index + 1;
}

/** "Confidentiality: Read Data, Gain Privileges; Integrity: Modify Data". */
function consequences(object: JsonObject): string | undefined {
  const value = object['x_capec_consequences'];
  if (!isObject(value)) return undefined;
  const scopes = Object.keys(value).map((scope) => `${scope}: ${textsAt(value, scope).join(', ')}`);
  return scopes.join('; ');
}

type Risk = Pick<
  ThreatData,
  'likelihoodText' | 'likelihood' | 'impactText' | 'impact' | 'riskLevel' | 'riskLevelSource'
>;

/**
 * CAPEC's likelihood and severity, and the risk level when both are stated: round(L x S / 15 x 100) with L 1-3 and
 * S 1-5 (mapping section 5). ATT&CK's impact type remains a text.
 */
export function capecRisk(object: JsonObject): Risk {
  const likelihoodText = textAt(object, 'x_capec_likelihood_of_attack');
  const severityText = textAt(object, 'x_capec_typical_severity');
  const likelihood = rank(likelihoods, likelihoodText);
  const severity = rank(severities, severityText);
  const assessed = likelihood !== undefined && severity !== undefined;
  const impact = [severityText, consequences(object), ...textsAt(object, 'x_mitre_impact_type')];
  return compact<Risk>({
    likelihoodText,
    // CAPEC's three levels are the middle three of Riskboard's five.
    likelihood: likelihood === undefined ? undefined : likelihood + 1,
    impactText: impact.filter((text) => text !== undefined).join('; '),
    impact: severity,
    riskLevel: assessed ? Math.round((likelihood * severity * 100) / 15) : undefined,
    riskLevelSource: assessed ? 'CAPEC' : undefined,
  });
}
