import { cwssValueOf, endsAfterStart, readVignette } from '@riskboard/domain';
import { describe, expect, it } from 'vitest';
import { dependenciesFirst } from '../../src/demo/create-projects.ts';
import { buildBundle } from '../bundle.ts';
import { sampleProjects } from './projects.ts';
import { sampleFactors, sampleVignette } from './scoring.ts';
import { threatRatings } from './threat-ratings.ts';

const assets = sampleProjects.flatMap((project) => project.assets);
const { objects } = buildBundle();

describe('the demo organization', () => {
  it('has a distinct name for each project and asset', () => {
    for (const named of [sampleProjects, assets])
      expect(new Set(named.map(({ name }) => name)).size).toBe(named.length);
  });

  it('names dependencies that exist and form no cycle', () => {
    const order = dependenciesFirst(sampleProjects).map(([, { name }]) => name);
    expect(order).toHaveLength(assets.length);
    for (const { name, dependsOn = [] } of assets)
      for (const other of dependsOn) expect(order.indexOf(other)).toBeLessThan(order.indexOf(name));
  });

  it('names vulnerabilities and threats that the sample report contains', () => {
    const names = new Set(
      objects.flatMap((object) => {
        const references = (object['external_references'] ?? []) as { external_id?: string }[];
        return [String(object['name']), ...references.map((one) => String(one.external_id))];
      }),
    );
    const used = [
      ...assets.flatMap(({ vulnerabilities = [], threats = [] }) => [...vulnerabilities, ...threats]),
      ...threatRatings.keys(),
      ...sampleFactors.map(({ cveId }) => cveId),
    ];
    expect(used.filter((name) => !names.has(name))).toEqual([]);
  });

  it('has a vignette that the upload accepts, and sets factors to values that they have', () => {
    expect(readVignette(sampleVignette)).toMatchObject({ ok: true });
    for (const { factor, value } of sampleFactors) expect(cwssValueOf(factor, value)).toBeDefined();
  });

  it('uses every vulnerability of the sample report', () => {
    const used = new Set(assets.flatMap(({ vulnerabilities = [] }) => vulnerabilities));
    const unused = objects
      .filter(({ type }) => type === 'vulnerability')
      .filter((object) => {
        const references = (object['external_references'] ?? []) as { external_id?: string }[];
        return ![object['name'], ...references.map((one) => one.external_id)].some((name) =>
          used.has(String(name)),
        );
      });
    expect(unused.map((object) => object['name'])).toEqual([]);
  });

  it('plans ends after starts', () => {
    for (const { startDate, plannedEndDate } of sampleProjects)
      expect(endsAfterStart(startDate, plannedEndDate)).toBe(true);
  });
});
