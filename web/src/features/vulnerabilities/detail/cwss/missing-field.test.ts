import { cwssOrder, type FindingFacts, suggestFactors } from '@riskboard/domain';
import { expect, test } from 'vitest';
import { missingField } from './missing-field.ts';

const unknown: FindingFacts = {
  impact: undefined,
  fallbackReason: 'The vulnerability has no CWE.',
  cvss: undefined,
  cveId: '',
  likelihood: '',
  asset: undefined,
};
const impact: FindingFacts['impact'] = {
  impact: 'Read data',
  layer: 'Application',
  subscore: 7,
  notes: '',
  cwe: 89,
  inheritedFrom: null,
  tier: 'core',
};
const cvss = new Map(Object.entries({ AV: 'N', PR: 'N', UI: 'N', C: 'H', I: 'H', A: 'H' }));

test.each<[string, Partial<FindingFacts>]>([
  ['Add a CVSS vector', { cvss }],
  ['Add a CWE', { impact, likelihood: 'High' }],
  ['Add a CVE id', { cveId: 'CVE-2021-44228' }],
  ['Relate an asset', { asset: { name: 'Shop', criticality: 5 } }],
])('%s is the advice for exactly the factors that are suggested from it', (label, facts) => {
  const known = suggestFactors({ ...unknown, ...facts });
  const before = suggestFactors(unknown);
  const empty = { cvssVector: '', cwe: [], cveId: '', relatedAssets: [] };
  const suggested = cwssOrder.filter((factor) => known[factor].code !== before[factor].code);
  expect(cwssOrder.filter((factor) => missingField(factor, empty) === label)).toEqual(suggested);
});
