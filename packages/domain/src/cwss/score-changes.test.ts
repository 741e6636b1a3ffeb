import { expect, it } from 'vitest';
import { calculateCwss, type CwssInputs } from './calculate.ts';
import { cwssScoreChanges, type StoredCwssScore } from './score-changes.ts';

const inputs: CwssInputs = {
  cveId: 'CVE-2024-0001',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  asset: { id: 'a', name: 'Web server', criticality: 3 },
  overrides: {},
  weaknesses: [],
};

const stored = (change: Partial<CwssInputs> = {}, other: Partial<StoredCwssScore> = {}): StoredCwssScore => ({
  vector: calculateCwss({ ...inputs, ...change }).vector,
  vignetteId: 'v',
  vignetteName: 'Shop',
  vignetteVersion: 1,
  catalogueVersion: '4.15',
  formulaVersion: 'CWSS 1.0.1, mapping 1',
  inputs: { ...inputs, ...change },
  ...other,
});

const set = (code: string, weight: number, reason = 'Tested.') => ({ code, weight, reason });

it.each<[string, StoredCwssScore, StoredCwssScore, string[]]>([
  ['nothing', stored(), stored(), []],
  ['a factor', stored(), stored({ overrides: { EC: set('B', 3000) } }), ['EC: N to B']],
  [
    'a quantified weight',
    stored({ overrides: { BI: set('Q', 2500) } }),
    stored({ overrides: { BI: set('Q', 7500) } }),
    ['BI: Q 0.25 to Q 0.75'],
  ],
  [
    'a factor set to its value',
    stored(),
    stored({ overrides: { EC: set('N', 10_000) } }),
    ['EC: N set by an analyst'],
  ],
  [
    'a factor released to its value',
    stored({ overrides: { EC: set('N', 10_000) } }),
    stored(),
    ['EC: N no longer set by an analyst'],
  ],
  [
    'a reason',
    stored({ overrides: { EC: set('B', 3000) } }),
    stored({ overrides: { EC: set('B', 3000, 'Measured.') } }),
    ['EC: another reason for B'],
  ],
  ['a version of the vignette', stored(), stored({}, { vignetteVersion: 3 }), ['vignette version 1 to 3']],
  [
    'another vignette, whose version is not compared',
    stored(),
    stored({}, { vignetteId: 'w', vignetteName: 'Bank', vignetteVersion: 9 }),
    ['vignette Shop to Bank'],
  ],
  [
    'another vignette of the same name',
    stored(),
    stored({}, { vignetteId: 'w' }),
    ['vignette Shop to another of this name'],
  ],
  [
    'the name of the vignette',
    stored(),
    stored({}, { vignetteName: 'Store', vignetteVersion: 2 }),
    ['vignette name Shop to Store', 'vignette version 1 to 2'],
  ],
  [
    'the CVSS vector, with the factors that follow',
    stored(),
    stored({ cvssVector: inputs.cvssVector.replace('AV:N', 'AV:L') }),
    ['AV: I to L', 'CVSS vector changed'],
  ],
  [
    'the asset',
    stored(),
    stored({ asset: null }),
    ['BI: M to D', 'most critical asset Web server (criticality 3) to none'],
  ],
  [
    'another asset of the same name',
    stored(),
    stored({ asset: { id: 'b', name: 'Web server', criticality: 3 } }),
    ['most critical asset Web server (criticality 3) to another of this name'],
  ],
  [
    'CVE, catalogue and formula',
    stored({ cveId: 'CVE-2024-0002' }),
    stored(
      { cveId: 'CVE-2024-0003' },
      { catalogueVersion: '4.19.1', formulaVersion: 'CWSS 1.0.1, mapping 2' },
    ),
    [
      'CVE CVE-2024-0002 to CVE-2024-0003',
      'weakness catalogue 4.15 to 4.19.1',
      'formula CWSS 1.0.1, mapping 1 to CWSS 1.0.1, mapping 2',
    ],
  ],
])('the changes between two scores name %s', (_what, before, after, changes) => {
  expect(cwssScoreChanges(before, after)).toEqual(changes);
});

it('the changes between two scores name the CWE ids', () => {
  const weakness = { cwe: 'CWE-79', name: '', likelihood: '', inheritedFrom: null, note: 'n', cell: null };
  expect(cwssScoreChanges(stored(), stored({ weaknesses: [weakness] }))).toEqual(['CWE none to CWE-79']);
});
