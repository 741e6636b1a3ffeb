import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cvssVersions, type CvssVersion } from './metrics.ts';
import { parseCvssVector } from './vector.ts';

const v31 = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';
const v40 = 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N';

describe('parseCvssVector accepts', () => {
  test.each([
    ['v2, 2.4', 'AV:N/AC:L/Au:N/C:P/I:N/A:N', '2.0', 'AV:N/AC:L/Au:N/C:P/I:N/A:N'],
    [
      'v2 in parentheses, as NVD writes it',
      '(AV:N/AC:L/Au:N/C:P/I:N/A:N)',
      '2.0',
      'AV:N/AC:L/Au:N/C:P/I:N/A:N',
    ],
    ['v2 temporal', 'AV:N/AC:L/Au:N/C:P/I:N/A:N/E:POC', '2.0', 'AV:N/AC:L/Au:N/C:P/I:N/A:N/E:POC'],
    ['v3.0', v31.replace('3.1', '3.0'), '3.0', v31.replace('3.1', '3.0')],
    ['v3.1', v31, '3.1', v31],
    ['any order, v3.1 section 6', 'CVSS:3.1/A:H/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H', '3.1', v31],
    ['v4.0 with supplemental metrics', `${v40}/S:X/AU:N/RE:L/U:Amber`, '4.0', `${v40}/S:X/AU:N/RE:L/U:Amber`],
    ['blanks around it', ` ${v40}\n`, '4.0', v40],
  ])('%s', (_, text, version, vector) => {
    expect(parseCvssVector(text)).toEqual({ ok: true, version, vector });
  });
});

describe('parseCvssVector refuses and names the metric:', () => {
  test.each([
    ['empty', '', null],
    ['partial', 'CVSS:3.1/AV:N/AC:L', 'PR'],
    ['v2 without base metric', 'AV:N/AC:L/Au:N/C:P/I:N', 'A'],
    ['duplicate', `${v31}/AV:N`, 'AV'],
    ['unknown metric', `${v31}/ZZ:N`, 'ZZ'],
    ['unknown value', v31.replace('AV:N', 'AV:Q'), 'AV'],
    ['value of another version', v40.replace('UI:N', 'UI:R'), 'UI'],
    ['metric of another version', `${v31}/AT:N`, 'AT'],
    ['lower case', v31.replace('AV:N', 'av:n'), 'av'],
    ['two colons', v31.replace('AV:N', 'AV:N:N'), 'AV'],
    ['trailing slash', `${v31}/`, ''],
    ['wrong prefix', v31.replace('3.1', '3.2'), null],
    ['prefix of v2', 'CVSS:2.0/AV:N/AC:L/Au:N/C:P/I:N/A:N', null],
    ['parentheses around v3', `(${v31})`, null],
    ['name of a property', `${v31}/constructor:N`, 'constructor'],
    ['far too long', v31 + '/'.repeat(1000), null],
  ])('%s', (_, text, metric) => {
    expect(parseCvssVector(text)).toMatchObject({ ok: false, metric });
  });
});

test('parseCvssVector reads every allowed vector, in any order of metrics, into its canonical form', () => {
  const vectors = fc.constantFrom(...(Object.keys(cvssVersions) as CvssVersion[])).chain((version) => {
    const { metrics, prefix } = cvssVersions[version];
    const values = fc.tuple(
      ...[...metrics].map(([code, set]) => fc.constantFrom(...set).map((v) => `${code}:${v}`)),
    );
    return values.chain((all) =>
      fc.shuffledSubarray(all, { minLength: all.length }).map((shuffled) => ({
        version,
        shuffled: prefix + shuffled.join('/'),
        canonical: prefix + all.join('/'),
      })),
    );
  });
  const property = fc.property(vectors, ({ version, shuffled, canonical }) => {
    expect(parseCvssVector(shuffled)).toEqual({ ok: true, version, vector: canonical });
  });
  fc.assert(property);
});
