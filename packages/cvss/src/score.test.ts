import { cvssVersions, cvssLabels, parseCvssVector, type CvssVersion } from '@riskboard/domain';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cvssBaseScore } from './base-score.ts';
import { scoreCvss } from './score.ts';

function score(text: string) {
  const vector = parseCvssVector(text);
  if (!vector.ok) throw new Error(vector.message);
  return scoreCvss(vector);
}

const slammer = 'AV:N/AC:L/Au:N/C:N/I:N/A:C/E:F/RL:OF/RC:C';
const worst4 = 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N';

describe('scoreCvss for v2 reproduces the examples of the guide, 3.3:', () => {
  test.each([
    ['CVE-2002-0392', `${slammer}/CDP:H/TD:H/CR:M/IR:M/AR:H`, [7.8, 6.4, 9.2]],
    ['CVE-2002-0392 without such a system', `${slammer}/CDP:N/TD:N/CR:M/IR:M/AR:H`, [7.8, 6.4, 0]],
    ['CVE-2003-0818', 'AV:N/AC:L/Au:N/C:C/I:C/A:C/E:F/RL:OF/RC:C/CDP:H/TD:H/CR:M/IR:M/AR:L', [10, 8.3, 9]],
    [
      'CVE-2003-0062',
      'AV:L/AC:H/Au:N/C:C/I:C/A:C/E:POC/RL:OF/RC:C/CDP:H/TD:H/CR:M/IR:M/AR:M',
      [6.2, 4.9, 7.5],
    ],
  ])('%s', (_, vector, [base, temporal, environmental]) => {
    const { score: overall, parts } = score(vector);
    expect(parts).toMatchObject({ base, temporal, environmental });
    expect(overall).toBe(environmental);
  });

  // Calculated manually: 10 x 0.9 x 0.95 is 8.55, slightly less as a binary fraction; metrics that are not defined have
  // no effect; without impact f(Impact) is 0 and so is the score; no score is below 0.
  test.each([
    ['AV:N/AC:L/Au:N/C:C/I:C/A:C/E:POC/RL:W/RC:C', { base: 10, temporal: 8.6 }],
    [`${slammer}/TD:H`, { temporal: 6.4, environmental: 6.4 }],
    ['AV:N/AC:L/Au:N/C:N/I:N/A:N/TD:H', { base: 0, environmental: 0 }],
    ['AV:N/AC:L/Au:N/C:N/I:N/A:N/CDP:H/TD:M', { base: 0, environmental: 3.8 }],
    ['AV:L/AC:H/Au:M/C:P/I:N/A:N/CR:L', { base: 0.8, environmental: 0 }],
    ['AV:L/AC:H/Au:M/C:P/I:N/A:N/CR:L/CDP:L/TD:H', { environmental: 1 }],
  ])('%s', (vector, parts) => {
    expect(score(vector).parts).toMatchObject(parts);
  });

  test('impact and exploitability', () => {
    expect(score(slammer).parts).toMatchObject({ impact: 6.9, exploitability: 10 });
  });
});

describe('scoreCvss for v3 reproduces base and temporal scores of vendors:', () => {
  test.each([
    ['MSRC, 9.8 / 8.5', 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H/E:U/RL:O/RC:C', [9.8, 8.5]],
    ['MSRC, 8.8 / 7.7', 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H/E:U/RL:O/RC:C', [8.8, 7.7]],
    ['MSRC, 7.8 / 6.8', 'CVSS:3.1/AV:L/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H/E:U/RL:O/RC:C', [7.8, 6.8]],
    ['MSRC, 5.5 / 4.8', 'CVSS:3.1/AV:L/AC:L/PR:L/UI:N/S:U/C:H/I:N/A:N/E:U/RL:O/RC:C', [5.5, 4.8]],
    ['v3.0, 7.5 / 6.7', 'CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N/E:P/RL:O/RC:C', [7.5, 6.7]],
  ])('%s', (_, vector, [base, temporal]) => {
    const scores = score(vector);
    expect([scores.parts['base'], scores.parts['temporal']]).toEqual([base, temporal]);
    expect(scores.score).toBe(temporal);
    expect(scores.parts).not.toHaveProperty('environmental');
  });

  // Calculated manually, v3.1 section 7: 5.873 + 8.22 x 0.2 x 0.77 x 0.85 x 0.85 gives 6.8, times 0.91 x 0.95 gives 5.9.
  test('the environmental score includes the temporal metrics', () => {
    const { score: overall, parts } = score(
      'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H/E:U/RL:O/RC:C/MAV:P',
    );
    expect(parts).toMatchObject({ base: 9.8, temporal: 8.5, environmental: 5.9, modifiedImpact: 5.9 });
    expect(overall).toBe(5.9);
  });
});

describe('scoreCvss for v4.0 reproduces the macro vector table and the examples of FIRST:', () => {
  test.each([
    ['CVE-2022-41741', 'CVSS:4.0/AV:L/AC:L/AT:P/PR:L/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', 7.3],
    ['CVE-2020-3549', 'CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:P/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', 7.7],
    ['CVE-2014-0160', 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N', 8.7],
    ['CVE-2021-44228, attacked', 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H/E:A', 10],
    ['macro vector 000210', `${worst4}/E:P`, 8.9],
    ['macro vector 000220', `${worst4}/E:U`, 8.1],
    ['no impact', 'CVSS:4.0/AV:P/AC:H/AT:P/PR:H/UI:A/VC:N/VI:N/VA:N/SC:N/SI:N/SA:N', 0],
  ])('%s', (_, vector, overall) => {
    expect(score(vector).score).toBe(overall);
  });

  test('threat metrics do not change the base score, supplemental metrics change no score', () => {
    expect(score(`${worst4}/E:U`)).toMatchObject({ score: 8.1, parts: { base: 9.3, threat: 8.1 } });
    expect(score(`${worst4}/S:P/AU:Y/U:Red`)).toMatchObject({ score: 9.3, parts: { base: 9.3 } });
  });
});

test.each([
  ['AV:N/AC:L/Au:N/C:C/I:C/A:C/E:ND', 10, 'High'],
  ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H/E:X/MAV:X', 9.8, 'Critical'],
  ['CVSS:3.1/AV:P/AC:H/PR:H/UI:R/S:U/C:N/I:N/A:N', 0, 'None'],
  [`${worst4}/E:X/CR:X`, 9.3, 'Critical'],
] as const)('scoreCvss ignores metrics that are not defined: %s', (vector, overall, severity) => {
  const scores = score(vector);
  expect(scores).toMatchObject({ score: overall, severity, parts: { base: overall } });
  for (const part of ['temporal', 'threat', 'environmental']) expect(scores.parts).not.toHaveProperty(part);
});

const versions = Object.keys(cvssVersions) as CvssVersion[];

/** Any vector of a version, with any subset of the optional metrics. */
const values = (version: CvssVersion) => {
  const { metrics, mandatory } = cvssVersions[version];
  const entries = [...metrics].map(([code, set], index) => {
    const given = fc.constantFrom(...set).map((value): [string, string] => [code, value]);
    return index < mandatory ? given : fc.option(given, { nil: null });
  });
  return fc.tuple(...entries).map((all) => new Map(all.filter((entry) => entry !== null)));
};

const textOf = (version: CvssVersion, chosen: ReadonlyMap<string, string>) =>
  cvssVersions[version].prefix + [...chosen].map(([code, value]) => `${code}:${value}`).join('/');

test.each(versions)(
  'CVSS %s: scoreCvss scores every vector from 0 to 10, with the base score of cvssBaseScore',
  (version) => {
    const property = fc.property(values(version), (chosen) => {
      const text = textOf(version, chosen);
      const vector = parseCvssVector(text);
      const { score: overall, parts } = score(text);
      for (const one of [overall, ...Object.values(parts)]) {
        expect(one).toBeGreaterThanOrEqual(0);
        expect(one).toBeLessThanOrEqual(10);
      }
      expect(parts['base']).toBe(vector.ok && cvssBaseScore(vector));
    });
    fc.assert(property, { numRuns: 200 });
  },
);

/** The equations of v2 and v3 are monotonic; v4.0 interpolates between macro vectors and may decrease by a tenth. */
const slack = { '2.0': 0, '3.0': 0, '3.1': 0, '4.0': 0.1 } as const;

test.each(versions)(
  'CVSS %s: values listed from least to most severe have non-decreasing scores',
  (version) => {
    const { mandatory } = cvssVersions[version];
    const base = cvssLabels[version].slice(0, mandatory);
    const property = fc.property(values(version), fc.nat(mandatory - 1), (chosen, at) => {
      const metric = base[at];
      if (metric === undefined) throw new Error('No such metric');
      const scores = metric.values.map(({ code }) => {
        const changed = new Map([...chosen].slice(0, mandatory)).set(metric.code, code);
        return score(textOf(version, changed)).score;
      });
      for (const [index, one] of scores.entries()) {
        expect(one).toBeGreaterThanOrEqual((scores[index - 1] ?? 0) - slack[version] - 1e-9);
      }
      expect(scores.at(-1)).toBeGreaterThanOrEqual(scores.at(0) ?? 0);
    });
    fc.assert(property, { numRuns: 150 });
  },
);
