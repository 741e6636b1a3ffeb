import type { RecordTableName } from './assertions.ts';

/** Text of a field of the report's data, empty when absent. */
const text = (field: string): string => `coalesce(r.data->>'${field}', '')`;
const number = (field: string): string => `(r.data->>'${field}')::numeric`;
/** The day of a timestamp as the report states it: the reader keeps the report's time zone. */
const day = (...fields: string[]): string =>
  `left(coalesce(${fields.map((field) => `r.data->>'${field}'`).join(', ')}), 10)::date`;
/** Empty unless both are stated (contract, Scales). */
const derivedRiskLevel = `4 * ${number('likelihood')} * ${number('impact')}`;
/** The fields that have no column. */
const otherFields = (...fields: string[]): string => `r.data - '{${fields.join(',')}}'::text[]`;
/** The first URL that the detail page shows as a link, else the first of any scheme. */
const firstUrl = `coalesce((select ref->>'url' from jsonb_array_elements(r.data->'references') with ordinality list(ref, n) where ref->>'url' is not null order by ref->>'url' !~* '^https?://', n limit 1), '')`;

/**
 * The columns that an extraction writes, each with its expression on the row `r` of the report. Every other column is
 * filled in by users (STIX mapping, "Must stay empty").
 */
export const reportColumns: Record<RecordTableName, Record<string, string>> = {
  vulnerability: {
    name: 'r.name',
    description: text('description'),
    // Its CVSS base score, else empty: never invented (contract, Severity).
    severity: `(r.data->'base'->>'score')::numeric`,
    cve_id: text('cveId'),
    cwe: `array(select jsonb_array_elements_text(r.data->'cwe'))`,
    cvss_score: `(r.data->'base'->>'score')::numeric`,
    cvss_vector: `coalesce(r.data->'base'->>'vector', '')`,
    cvss_version: `coalesce(r.data->'base'->>'version', '')`,
    reference: firstUrl,
    discovery_date: day('discoveredAt', 'publishedAt'),
    details: otherFields('description', 'base', 'cwe', 'cveId'),
  },
  threat: {
    name: 'r.name',
    description: text('description'),
    threat_id: text('threatId'),
    kind: 'r.type',
    threat_type_id: `(r.data->>'threatTypeId')::int`,
    motivation_description: text('motivation'),
    capability_description: text('capability'),
    likelihood: `(r.data->>'likelihood')::int`,
    likelihood_description: text('likelihoodText'),
    impact: `(r.data->>'impact')::int`,
    impact_description: text('impactText'),
    // Merged objects may state likelihood and impact, each one of them, and no level (contract, Scales).
    risk_level: `coalesce(${number('riskLevel')}, ${derivedRiskLevel})`,
    risk_level_source: `case when r.data ? 'riskLevel' then ${text('riskLevelSource')} when ${derivedRiskLevel} is null then '' else 'derived' end`,
    reference: firstUrl,
    details: otherFields('description', 'threatId'),
  },
};
