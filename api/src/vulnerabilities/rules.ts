import { vulnerabilityEntity } from '@riskboard/contract';
import { cvssBaseScore } from '@riskboard/cvss';
import { vulnerabilitySource } from '@riskboard/db';
import {
  fixTooEarly,
  isFixedAfterDiscovery,
  parseCvssVector,
  vulnerabilityCategories,
} from '@riskboard/domain';
import type { Values } from '../lib/columns.ts';
import { invalidField } from '../lib/http/failure.ts';
import type { Change, FullRecord } from '../records/entity-rules.ts';
import { recordRules } from '../records/record-rules.ts';

const categories: Readonly<Record<number, string>> = vulnerabilityCategories;

/** A vector overrides a score (contract, CVSS), also one that is entered later. @throws Failure 422 on cvssVector */
function cvssColumns(input: Values, now: Values | undefined): Values {
  const { cvss_vector: vector } = input;
  if (typeof vector !== 'string' || vector === now?.['cvss_vector']) {
    const scored = typeof now?.['cvss_vector'] === 'string' && now['cvss_vector'] !== '';
    return scored && input['cvss_score'] !== undefined ? { cvss_score: now['cvss_score'] } : {};
  }
  if (vector === '') return { cvss_version: '' };
  const parsed = parseCvssVector(vector);
  if (!parsed.ok) throw invalidField('cvssVector', parsed.message);
  return { cvss_vector: parsed.vector, cvss_score: cvssBaseScore(parsed), cvss_version: parsed.version };
}

/** The severity of a record of reports is its CVSS score until a person enters one (contract, Severity). */
const followingColumns = ({ key, cvss_score: score }: Values): Values =>
  key === null ? {} : { severity: score };

/**
 * A vector or id that a report brought stays as it is while it is not changed. A severity that no person entered follows the score,
 * also when it is sent back unchanged: the client only read it.
 * @throws Failure 422 on cvssVector
 */
function derivedColumns(input: Values, now: Values | undefined): Values {
  const { cve_id: id, severity } = input;
  const cve = typeof id === 'string' && id !== now?.['cve_id'] ? { cve_id: id.toUpperCase() } : {};
  const derived = { ...cve, ...cvssColumns(input, now) };
  if (now === undefined || (now['edited_fields'] as string[]).includes('severity')) return derived;
  const { cvss_score: score }: Values = { ...now, ...input, ...derived };
  const isEntered = severity !== undefined && severity !== now['severity'];
  if (isEntered || score === now['cvss_score']) return derived;
  return { ...derived, ...followingColumns({ ...now, cvss_score: score }) };
}

/** Days that a report or an earlier version brought stay as they are while neither is changed. @throws Failure 422 on fixDate */
function requireOrder({ before, body }: Change<FullRecord>): void {
  const discovered = before?.row['discovery_date'];
  const fixed = before?.row['fix_date'];
  const { discoveryDate = discovered, fixDate = fixed } = body;
  if (discoveryDate === discovered && fixDate === fixed) return;
  if (typeof discoveryDate !== 'string' || typeof fixDate !== 'string') return;
  if (!isFixedAfterDiscovery(discoveryDate, fixDate)) throw invalidField('fixDate', fixTooEarly);
}

export const vulnerabilityRules = recordRules({
  entity: vulnerabilityEntity,
  source: vulnerabilitySource,
  together: [['cvss_vector', 'cvss_score', 'cvss_version']],
  check: requireOrder,
  derivedColumns,
  followingColumns,
  derivedFields: (row) => ({ category: categories[Number(row['category_id'] ?? 0)] ?? '' }),
});
