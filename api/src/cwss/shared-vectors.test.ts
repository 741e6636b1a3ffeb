import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  cwssFactors,
  cwssOrder,
  cwssValueOf,
  impactLayers,
  parseCwssVector,
  readVignette,
  scoreCwss,
  technicalImpactOf,
  technicalImpacts,
  weightUnit,
  type CwssFactor,
} from '@riskboard/domain';
import { referenceData } from '@riskboard/testing';
import { describe, expect, test } from 'vitest';

const found = referenceData('cwss');
const present = found !== undefined;
const folder = found ?? '';

interface Expected {
  score?: number;
  raw?: number;
  base?: number;
  attackSurface?: number;
  environmental?: number;
  scoreWhenWeightsComeFromCodes?: number;
}
interface Vectors {
  vectors: { id: string; vector: string; expected: Expected }[];
  cwrafFixture: { id: string; scorecard: object };
  cwrafVectors: { id: string; vector: string; expected: Expected }[];
}
interface Factors {
  order: string[];
  factors: { code: string; values: { code: string; name: string; weight: number | null }[] }[];
}
interface ImpactMap {
  technicalImpacts: string[];
  layers: string[];
  map: { cweImpact: string; cwraf: string | null; tier: string }[];
}

const read = (name: string): unknown => JSON.parse(readFileSync(resolve(folder, name), 'utf8'));

describe.skipIf(!present)('the CWSS data beside the repository (skipped where it does not exist)', () => {
  test('every vector has exactly the expected score', () => {
    const { vectors, cwrafVectors } = read('vectors.json') as Vectors;
    const all = [...vectors, ...cwrafVectors];
    expect(all.length).toBeGreaterThanOrEqual(37);
    for (const { id, vector, expected } of all) {
      const parsed = parseCwssVector(vector);
      const scored = parsed.ok ? scoreCwss(parsed.choices) : parsed;
      // The weight of the table counts where a vector states another one.
      const byCodes = expected.scoreWhenWeightsComeFromCodes;
      const wanted = byCodes === undefined ? expected : { score: byCodes };
      expect({ id, ...scored }).toMatchObject({ id, ...wanted });
    }
  });

  test('every factor, value and weight is known', () => {
    const { order, factors } = read('cwss-factors.json') as Factors;
    expect(cwssOrder).toEqual(order);
    for (const { code, values } of factors) {
      const factor = code as CwssFactor;
      const weighted = values.filter(({ weight }) => weight !== null);
      expect(cwssFactors[factor].values).toHaveLength(weighted.length);
      const weights = weighted.map((value) => [code, value.code, (value.weight ?? 0) * weightUnit]);
      expect(weighted.map((value) => [code, value.code, cwssValueOf(factor, value.code)?.weight])).toEqual(
        weights,
      );
    }
  });

  test('every impact of CWE maps to the same technical impact', () => {
    const data = read('impact-map.json') as ImpactMap;
    expect(technicalImpacts).toEqual(data.technicalImpacts);
    expect(impactLayers).toEqual(data.layers);
    for (const { cweImpact, cwraf, tier } of data.map)
      expect([cweImpact, technicalImpactOf(cweImpact)]).toEqual([
        cweImpact,
        cwraf === null ? undefined : { impact: cwraf, tier },
      ]);
  });

  test('the published part of a scorecard is read', () => {
    const { cwrafFixture } = read('vectors.json') as Vectors;
    const { id, scorecard } = cwrafFixture;
    const result = readVignette({ id, name: id, scorecard });
    expect(result).toMatchObject({ ok: true, vignette: { name: id } });
    expect(result.ok && result.vignette.scorecard).toHaveLength(6);
  });
});
