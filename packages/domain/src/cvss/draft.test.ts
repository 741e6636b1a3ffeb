import { expect, test } from 'vitest';
import { cvssVersionIn, missingCvssMetrics, readCvssDraft, writeCvssDraft } from './draft.ts';
import type { CvssVersion } from './metrics.ts';
import { cvssSeverityOf } from './severity.ts';

const v31 = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';

test.each([
  ['a complete vector unchanged', v31, '4.0', v31],
  ['a v2 vector in parentheses', '(AV:N/AC:L/Au:N/C:P/I:N/A:N)', '2.0', 'AV:N/AC:L/Au:N/C:P/I:N/A:N'],
  ['a partial vector in the order of the specification', 'CVSS:4.0/SA:H/AV:N', '3.1', 'CVSS:4.0/AV:N/SA:H'],
  ['a vector without its unknown metrics and values', `${v31}/ZZ:1/E:Q/toString:N`, '4.0', v31],
  ['the first value of a repeated metric', 'CVSS:3.1/AV:N/AV:P', '3.1', 'CVSS:3.1/AV:N'],
  ['a vector without a prefix in the default version', 'AV:N/PR:L', '3.0', 'CVSS:3.0/AV:N/PR:L'],
  ['a blank text as empty', ' ', '3.1', ''],
] as const)('readCvssDraft reads and writeCvssDraft writes %s', (_, text, defaultVersion, written) => {
  expect(writeCvssDraft(readCvssDraft(text, defaultVersion))).toBe(written);
});

test('missingCvssMetrics lists the missing base metrics in order', () => {
  expect(missingCvssMetrics(readCvssDraft('CVSS:3.1/A:H/AC:L/PR:N/S:U/C:H', '3.1'))).toEqual([
    'AV',
    'UI',
    'I',
  ]);
  expect(missingCvssMetrics(readCvssDraft(v31, '3.1'))).toEqual([]);
});

test('cvssVersionIn recognizes a version by its prefix', () => {
  expect([v31, 'CVSS:4.0/', ' CVSS:3.0/AV:N', 'AV:N', 'CVSS:3.2/AV:N', ''].map(cvssVersionIn)).toEqual([
    '3.1',
    '4.0',
    '3.0',
    undefined,
    undefined,
    undefined,
  ]);
});

// v3.1 section 5 table 14 and v4.0 section 6 table 22; NVD's ratings for v2.
test.each<[version: CvssVersion, score: number, rating: string]>([
  ['2.0', 10, 'High'],
  ['2.0', 7, 'High'],
  ['2.0', 6.9, 'Medium'],
  ['2.0', 3.9, 'Low'],
  ['2.0', 0, 'Low'],
  ['3.1', 9, 'Critical'],
  ['3.0', 8.9, 'High'],
  ['3.1', 4, 'Medium'],
  ['4.0', 3.9, 'Low'],
  ['4.0', 0.1, 'Low'],
  ['3.1', 0, 'None'],
])('cvssSeverityOf rates a CVSS %s score of %s as %s', (version, score, rating) => {
  expect(cvssSeverityOf(version, score)).toBe(rating);
});
