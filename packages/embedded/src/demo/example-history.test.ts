import { assetRiskScore } from '@riskboard/domain';
import { describe, expect, it } from 'vitest';
import { sampleProjects } from '../../sample/organization/projects.ts';
import { exampleHistory, historyDays } from './example-history.ts';

const assets = sampleProjects.flatMap((project) => project.assets);

describe('the example history of an asset', () => {
  it.each(assets.map((asset) => [asset.name, asset] as const))(
    'begins a year ago and ends at the current score: %s',
    (_name, asset) => {
      const history = exampleHistory(asset);
      const days = history.map(({ daysAgo }) => daysAgo);
      const [criticality, confidentiality, integrity, availability] = asset.levels;
      const counts = {
        threats: asset.threats?.length ?? 0,
        vulnerabilities: asset.vulnerabilities?.length ?? 0,
      };
      expect(days[0]).toBe(historyDays);
      expect(days).toEqual([...new Set(days)].toSorted((a, b) => b - a));
      expect(history.at(-1)).toMatchObject({
        ...counts,
        score: assetRiskScore({ criticality, confidentiality, integrity, availability, ...counts }),
      });
      expect(history.every(({ threats, vulnerabilities }) => threats >= 0 && vulnerabilities >= 0)).toBe(
        true,
      );
    },
  );

  it('is the same at every start', () => {
    const [asset] = assets;
    expect(asset && exampleHistory(asset)).toEqual(asset && exampleHistory(asset));
  });
});
