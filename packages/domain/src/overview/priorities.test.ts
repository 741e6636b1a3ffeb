import { describe, expect, it } from 'vitest';
import { assetHealth, assetRiskScore, isAtRisk } from '../asset.ts';
import { type Finding, priorities, type RatedAsset, wayOutOfRisk } from './priorities.ts';

const counts = { totalThreats: 10, openVulnerabilities: 20, newVulnerabilities: 5, assetsAtRisk: 3 };
const finding = (code: string, effect: Finding['effect']): Finding => ({
  code,
  title: code,
  description: 'A finding.',
  link: '/dashboard/threats',
  effect,
});

describe('the priorities', () => {
  it('are recomputed without each finding, rounded as the score, the largest effect first', () => {
    const few = { ...counts, openVulnerabilities: 4, assetsAtRisk: 1, totalThreats: 0 };
    const items = priorities(
      few,
      [
        finding('one', { assetsAtRisk: 1 }),
        finding('nothing', {}),
        finding('two', { openVulnerabilities: 2 }),
      ],
      5,
    );
    // 4 × 3 + 5 × 2 + 1.5 = 23.5, a score of 24.
    expect(items.map(({ code, scoreAfter, delta, weighted }) => [code, scoreAfter, delta, weighted])).toEqual(
      [
        ['two', 18, -6, -6],
        ['one', 22, -2, -1.5],
      ],
    );
  });

  it('have the points that the limit of 100 hides, and are at most as many as requested', () => {
    const many = { ...counts, openVulnerabilities: 40 };
    const items = priorities(
      many,
      [finding('small', { totalThreats: 1 }), finding('large', { openVulnerabilities: 4 })],
      1,
    );
    expect(items).toEqual([
      {
        code: 'large',
        title: 'large',
        description: 'A finding.',
        link: '/dashboard/threats',
        scoreAfter: 100,
        delta: 0,
        weighted: -12,
      },
    ]);
  });
});

describe('the way of an asset out of risk', () => {
  const asset: RatedAsset = {
    criticality: null,
    confidentiality: null,
    integrity: null,
    availability: null,
    threats: 0,
    vulnerabilities: 0,
  };
  it.each([
    ['too many vulnerabilities', { vulnerabilities: 6 }, 'End its relations to 3 vulnerabilities.'],
    ['too many threats', { threats: 7, vulnerabilities: 1 }, 'End its relations to 2 threats.'],
    [
      'too many of both',
      { threats: 8, vulnerabilities: 5 },
      'End its relations to 2 vulnerabilities and 3 threats.',
    ],
    [
      'too many threats and a score from 7',
      { threats: 6, vulnerabilities: 2, criticality: 5, confidentiality: 5, integrity: 2 },
      'End its relations to 1 vulnerability and 1 threat.',
    ],
    [
      'a score from 7',
      { criticality: 5, confidentiality: 5, integrity: 4, vulnerabilities: 3 },
      'End its relations to 1 vulnerability, or lower its criticality from 5 to 4.',
    ],
    [
      'levels alone',
      { criticality: 5, confidentiality: 5, integrity: 4, availability: 4 },
      'Lower its criticality from 5 to 3.',
    ],
  ])('with %s is the least that suffices', (_name, levels, text) => {
    const risky = { ...asset, ...levels };
    expect(isAtRisk({ health: assetHealth(risky), riskScore: assetRiskScore(risky) })).toBe(true);
    expect(wayOutOfRisk(risky)).toBe(text);
  });

  it('names the levels when neither relations nor criticality suffice', () => {
    const levels = { criticality: 5, confidentiality: 5, integrity: 4, availability: 4, vulnerabilities: 6 };
    expect(wayOutOfRisk({ ...asset, ...levels })).toBe(
      'Its levels alone put it at risk: lower several of them.',
    );
  });
});
