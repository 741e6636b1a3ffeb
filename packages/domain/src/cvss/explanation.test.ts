import { describe, expect, test } from 'vitest';
import { cvssMetricGroups, cvssLabels, explainCvss } from './explanation.ts';
import { cvssVersions, type CvssVersion } from './metrics.ts';
import { parseCvssVector } from './vector.ts';

const versions = Object.keys(cvssVersions) as CvssVersion[];

const explained = (text: string) => {
  const vector = parseCvssVector(text);
  if (!vector.ok) throw new Error(vector.message);
  return explainCvss(vector);
};

describe.each(versions)('labels of CVSS %s', (version) => {
  const { metrics, mandatory } = cvssVersions[version];
  const labels = cvssLabels[version];

  test('cover every metric of the specification, in its order', () => {
    expect(labels.map(({ code }) => code)).toEqual([...metrics.keys()]);
  });

  test.each(labels)('cover exactly the values of $code', ({ code, values }) => {
    expect(values.map((value) => value.code).toSorted()).toEqual([...(metrics.get(code) ?? [])].toSorted());
  });

  test('put exactly the mandatory metrics into the base group', () => {
    const base = labels.filter(({ group }) => group === 'base').map(({ code }) => code);
    expect(base).toEqual([...metrics.keys()].slice(0, mandatory));
  });

  test.each(labels)('$code has one sentence per value, and distinct names and meanings', ({ values }) => {
    for (const { name, means } of values) {
      expect(name).toMatch(/^[A-Z]/u);
      expect(means).toMatch(/^[A-Z][^.]+\.$/u);
    }
    expect(new Set(values.map(({ name }) => name)).size).toBe(values.length);
    expect(new Set(values.map(({ means }) => means)).size).toBe(values.length);
  });

  test('give "not defined" no weight, and every scoring metric weights from 0 to 3', () => {
    for (const { group, values } of labels) {
      const [first] = values;
      if (group !== 'base') expect(first).toMatchObject({ name: 'Not Defined', weight: null });
      const weights = values.flatMap(({ weight }) => (weight === null ? [] : [weight]));
      expect(weights).toEqual(weights.toSorted((a, b) => a - b));
      if (group === 'supplemental') expect(weights).toEqual([]);
      else expect([weights.at(0), weights.at(-1)]).toEqual([0, 3]);
    }
  });

  test('are all part of a group', () => {
    expect(cvssMetricGroups(version).flatMap(({ metrics: all }) => all)).toHaveLength(labels.length);
  });
});

test('explainCvss lists the metrics that a vector names, by group', () => {
  const groups = explained('CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:L/E:P/MAV:P/CR:X');
  expect(groups.map(({ label, metrics }) => [label, metrics.length])).toEqual([
    ['Base', 8],
    ['Temporal', 1],
    ['Environmental', 2],
  ]);
  expect(groups[0]?.metrics[0]).toEqual({
    code: 'AV',
    name: 'Attack Vector',
    value: {
      code: 'N',
      name: 'Network',
      means: 'Exploitable remotely, including over the internet.',
      weight: 3,
    },
  });
  expect(groups[2]?.metrics.map(({ name, value }) => `${name}: ${value.name}`)).toEqual([
    'Confidentiality Requirement: Not Defined',
    'Modified Attack Vector: Physical',
  ]);
});

test.each([
  ['AV:N/AC:L/Au:N/C:P/I:N/A:C/TD:LM', null],
  ['AV:N/AC:L/Au:N/C:P/I:N/A:C/CDP:LM', 'Collateral Damage Potential: Low-Medium'],
  [
    'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N/MSI:S',
    'Modified Subsequent System Integrity: Safety',
  ],
  [
    'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N/MSC:N',
    'Modified Subsequent System Confidentiality: Negligible',
  ],
])('explainCvss ends %s with %s', (text, last) => {
  if (last === null) return expect(() => explained(text)).toThrow('TD');
  const { name, value } = explained(text).at(-1)?.metrics.at(-1) ?? {};
  expect(`${name}: ${value?.name}`).toBe(last);
});
