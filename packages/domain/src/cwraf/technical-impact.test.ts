import { describe, expect, it } from 'vitest';
import { impactLayers, readImpact, readLayer, technicalImpactOf, technicalImpacts } from './impacts.ts';
import { type ScorecardCell, winningImpact } from './technical-impact.ts';

const cell = (
  impact: ScorecardCell['impact'],
  layer: ScorecardCell['layer'],
  subscore: number,
): ScorecardCell => ({
  impact,
  layer,
  subscore,
  notes: '',
});
const shop = [
  cell('Modify data', 'System', 9),
  cell('Modify data', 'Application', 9),
  cell('Read data', 'System', 7),
  cell('DoS: unreliable execution', 'Application', 4),
  cell('Execute unauthorized code or commands', 'System', 10),
  cell('Hide activities', 'Network', 0),
];

describe('the technical impact of weaknesses', () => {
  it('is the highest rated cell over all impacts and weaknesses', () => {
    const weaknesses = [
      { cwe: 532, impacts: ['Read Application Data'] },
      { cwe: 476, impacts: ['DoS: Crash, Exit, or Restart', 'Execute Unauthorized Code or Commands'] },
    ];
    expect(winningImpact(weaknesses, shop)).toMatchObject({
      impact: 'Execute unauthorized code or commands',
      layer: 'System',
      subscore: 10,
      cwe: 476,
      tier: 'core',
      inheritedFrom: null,
    });
    expect(winningImpact(weaknesses.slice(0, 1), shop)).toMatchObject({ subscore: 7, cwe: 532 });
  });

  it('can be a rated 0', () => {
    expect(winningImpact([{ cwe: 223, impacts: ['Hide Activities'] }], shop)).toMatchObject({ subscore: 0 });
  });

  it.each([
    ['states none', ['Varies by Context', 'Other']],
    ['has only impacts without a rating', ['DoS: Resource Consumption (CPU)']],
    ['has only unknown impacts', ['Boil the kettle']],
    ['has no consequences', []],
  ])('is absent when a weakness %s', (_what, impacts) => {
    expect(winningImpact([{ cwe: 1, impacts }], shop)).toBeUndefined();
  });

  it('names the ancestor whose impacts were used, and a mapping that is a judgement', () => {
    const weakness = { cwe: 697, impacts: ['Unexpected State'], inheritedFrom: 703 };
    expect(winningImpact([weakness], shop)).toMatchObject({ cwe: 697, inheritedFrom: 703, tier: 'extended' });
  });
});

describe('names', () => {
  it.each(technicalImpacts)('%s is read in any case and punctuation', (impact) => {
    expect(readImpact(impact)).toBe(impact);
    expect(readImpact(impact.toUpperCase().replaceAll(/[ /:]/gu, ''))).toBe(impact);
    expect(readImpact(`${impact} twice`)).toBeUndefined();
  });

  it.each(impactLayers)('the layer %s is read in any case', (layer) => {
    expect(readLayer(layer.toLowerCase())).toBe(layer);
    expect(readLayer('Roof')).toBeUndefined();
  });

  it('every mapped impact is one of the eight', () => {
    expect(technicalImpactOf('Read Memory')).toEqual({ impact: 'Read data', tier: 'core' });
    expect(technicalImpactOf('Quality Degradation')).toBeUndefined();
  });
});
