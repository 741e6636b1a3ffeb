import { describe, expect, it } from 'vitest';
import { changeOf, type OverviewCounts } from './counts.ts';
import { exposureLevel, exposureTrend, monthEnds } from './exposure.ts';
import { actionableInsights, criticalAlerts } from './insights.ts';
import { overallRisk, remediationRate } from './overall-risk.ts';
import { riskCategories } from './risk-categories.ts';
import { securityStatusOf } from './security-status.ts';

const none: OverviewCounts = {
  totalThreats: 0,
  highThreats: 0,
  openVulnerabilities: 0,
  criticalOpen: 0,
  newVulnerabilities: 0,
  assetsAtRisk: 0,
};
const counts = (change: Partial<OverviewCounts>): OverviewCounts => ({ ...none, ...change });

describe('the overall risk score (spec 9, Overview)', () => {
  it.each([
    ['nothing', {}, 0, 'Low', 100],
    ['2 a threat', { totalThreats: 5 }, 10, 'Low', 90],
    ['3 an open vulnerability', { openVulnerabilities: 5 }, 15, 'Low', 85],
    ['2 a new vulnerability', { newVulnerabilities: 5 }, 10, 'Low', 90],
    ['1.5 an asset at risk', { assetsAtRisk: 4 }, 6, 'Low', 94],
    ['half rounded up', { assetsAtRisk: 1 }, 2, 'Low', 98],
    ['29 is Low', { openVulnerabilities: 9, newVulnerabilities: 1 }, 29, 'Low', 71],
    ['30 is Medium', { openVulnerabilities: 10 }, 30, 'Medium', 70],
    ['59 is Medium', { openVulnerabilities: 19, newVulnerabilities: 1 }, 59, 'Medium', 41],
    ['60 is High', { openVulnerabilities: 20 }, 60, 'High', 40],
    ['at most 100', { openVulnerabilities: 1000 }, 100, 'High', 0],
  ])('%s', (_line, change, score, band, bar) => {
    expect(overallRisk(counts(change))).toMatchObject({ score, band: { label: band }, bar });
  });
});

describe('the remediation rate (spec 9, Overview)', () => {
  it.each([
    ['100 without any', 0, 0, 100],
    ['new / (open + new)', 3, 1, 25],
    ['0 without new ones', 5, 0, 0],
  ])('%s', (_line, openVulnerabilities, newVulnerabilities, rate) => {
    expect(remediationRate({ openVulnerabilities, newVulnerabilities })).toBe(rate);
  });
});

describe('the security status (spec 9, Overview)', () => {
  it.each([
    ['critical above 5 critical open vulnerabilities', { criticalOpen: 6 }, 'critical'],
    ['critical above 10 high threats', { highThreats: 11 }, 'critical'],
    ['critical above 20 assets at risk', { assetsAtRisk: 21 }, 'critical'],
    ['poor at 5 critical ones', { criticalOpen: 5 }, 'poor'],
    ['poor above 2 critical ones', { criticalOpen: 3 }, 'poor'],
    ['poor above 5 high threats', { highThreats: 6 }, 'poor'],
    ['poor above 10 assets at risk', { assetsAtRisk: 11 }, 'poor'],
    ['fair at 2 critical ones', { criticalOpen: 2 }, 'fair'],
    ['fair above 0 critical ones', { criticalOpen: 1 }, 'fair'],
    ['fair above 2 high threats', { highThreats: 3 }, 'fair'],
    ['fair above 5 assets at risk', { assetsAtRisk: 6 }, 'fair'],
    ['good with new vulnerabilities', { newVulnerabilities: 1 }, 'good'],
    ['good with threats', { totalThreats: 1, highThreats: 1 }, 'good'],
    ['excellent with neither', { openVulnerabilities: 3, assetsAtRisk: 5 }, 'excellent'],
  ])('%s', (_line, change, status) => {
    expect(securityStatusOf(counts(change))).toBe(status);
  });
});

describe('the change of a count (contract, change)', () => {
  it.each([
    [12, 10, { change: 20, changeType: 'increase' }],
    [5, 10, { change: 50, changeType: 'decrease' }],
    [10, 10, { change: 0, changeType: 'none' }],
    [3, 0, { change: 100, changeType: 'increase' }],
    [1, 3, { change: 66.7, changeType: 'decrease' }],
    [3, undefined, { change: 0, changeType: 'none' }],
  ])('from %s against %s', (now, before, expected) => {
    expect(changeOf(now, before)).toEqual(expected);
  });
});

describe('the exposure trend (contract, Exposure trend)', () => {
  it('has the last day of each of the last 12 months, and today for the current one', () => {
    expect(monthEnds('2024-03-31')).toEqual([
      '2023-04-30',
      '2023-05-31',
      '2023-06-30',
      '2023-07-31',
      '2023-08-31',
      '2023-09-30',
      '2023-10-31',
      '2023-11-30',
      '2023-12-31',
      '2024-01-31',
      '2024-02-29',
      '2024-03-31',
    ]);
    expect(monthEnds('2024-03-01').at(-1)).toBe('2024-03-01');
  });

  it('is the mean severity of what was open at the end of the month', () => {
    const trend = exposureTrend(
      [
        { severity: 9, since: '2024-01-31', fixed: '2024-02-29' },
        { severity: 5, since: '2024-02-01', fixed: null },
      ],
      '2024-03-15',
    );
    expect(trend.slice(-4)).toEqual([
      { date: '2023-12-31', severity: null, level: null },
      { date: '2024-01-31', severity: 9, level: 'High' },
      { date: '2024-02-29', severity: 5, level: 'Medium' },
      { date: '2024-03-15', severity: 5, level: 'Medium' },
    ]);
  });

  it.each([
    [7, 'High'],
    [6.99, 'Medium'],
    [4, 'Medium'],
    [3.99, 'Low'],
  ])('has at %s the level %s', (severity, level) => {
    expect(exposureLevel(severity)).toBe(level);
  });
});

describe('the risk categories (contract, Risk categories)', () => {
  it('are the four with the largest summed severity, with the mean times 10', () => {
    const sums = ['A', 'B', 'C', 'D', 'E', 'F'].map((name, at) => ({
      name,
      count: at,
      severitySum: at * (10 - at),
    }));
    expect(riskCategories(sums)).toEqual([
      { name: 'F', count: 5, value: 50 },
      { name: 'E', count: 4, value: 60 },
      { name: 'D', count: 3, value: 70 },
      { name: 'C', count: 2, value: 80 },
    ]);
  });
});

describe('alerts and insights (spec 9, Overview)', () => {
  it('are empty without anything to act on', () => {
    const few = counts({ openVulnerabilities: 10, totalThreats: 5 });
    expect(criticalAlerts(few)).toEqual([]);
    expect(actionableInsights(few)).toEqual([]);
  });

  it('suggest a process improvement above 10 open vulnerabilities and a policy update above 5 threats', () => {
    const codes = actionableInsights(counts({ openVulnerabilities: 11, totalThreats: 6 })).map(
      ({ code }) => code,
    );
    expect(codes).toEqual(['improve-process', 'update-policy']);
  });

  it('show at most 4 alerts and 6 insights, with the counts that their links open and the times of the spec', () => {
    const all = counts({
      totalThreats: 6,
      highThreats: 1,
      openVulnerabilities: 11,
      criticalOpen: 1,
      newVulnerabilities: 2,
      assetsAtRisk: 3,
    });
    expect(criticalAlerts(all).map(({ count, link }) => [link, count])).toEqual([
      ['/dashboard/vulnerabilities?severity=critical', 1],
      ['/dashboard/assets?status=at-risk', 3],
      ['/dashboard/threats?risk=high', 1],
      ['/dashboard/vulnerabilities?status=new', 2],
    ]);
    const insights = actionableInsights(all);
    expect(insights).toHaveLength(6);
    expect(new Set(insights.map(({ time }) => time))).toEqual(
      new Set(['2-4 hours', '1-2 days', '3-5 days', '1-2 hours', '1 week', '2-3 days']),
    );
    const texts = [...criticalAlerts(all), ...insights].map(({ description }) => description);
    expect(texts.every((text) => text.endsWith('.'))).toBe(true);
  });
});
