import { describe, expect, it } from 'vitest';
import { changeOf, overviewCounts, type OverviewCounts } from './counts.ts';
import { vulnerabilityFunnel } from './funnel.ts';
import { headlineText, overviewHeadline } from './headline.ts';
import { actionableInsights, criticalAlerts } from './insights.ts';
import { overallRisk, remediationRate } from './overall-risk.ts';
import { securityStatusOf } from './security-status.ts';
import { totalsFrom } from './testing/totals-from.ts';

const none = overviewCounts(new Map(), '2026-03-15');
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

describe('the counts of the totals', () => {
  it('count as new what was created today or on one of the 30 days before (contract, new)', () => {
    const totals = totalsFrom([
      ['open', '2026-02-12', 1, 0],
      ['open', '2026-02-13', 2, 0],
      ['open', '2026-03-15', 4, 0],
      ['open', 'older', 8, 0],
      ['criticalOnMissionCritical', '2026-02-12', 1, 0],
      ['criticalOnMissionCritical', '2026-02-13', 1, 0],
    ]);
    expect(overviewCounts(totals, '2026-03-15')).toMatchObject({
      openVulnerabilities: 15,
      newVulnerabilities: 6,
      newCriticalOnMissionCritical: 1,
    });
  });

  it('are the steps of the funnel, each with its list', () => {
    const totals = totalsFrom([
      ['open', 'older', 10, 0],
      ['openSeverity', 'critical', 2, 18],
      ['openSeverity', 'high', 3, 21],
      ['openSeverity', 'none', 5, 0],
      ['openSevere', 'on-assets', 4, 0],
      ['openSevere', 'on-mission-critical-assets', 1, 0],
    ]);
    const steps = vulnerabilityFunnel(overviewCounts(totals, '2026-03-15'));
    expect(steps.map(({ step, count }) => [step, count])).toEqual([
      ['open', 10],
      ['severe', 5],
      ['on-assets', 4],
      ['on-mission-critical-assets', 1],
    ]);
  });
});

describe('the headline', () => {
  const today = '2026-03-18';
  const filled = { vulnerabilities: 9, openVulnerabilities: 9 };
  it.each([
    [
      { newCriticalOnMissionCritical: 2 },
      '2 new critical vulnerabilities on mission-critical assets',
      '/dashboard/vulnerabilities?status=new&severity=critical&onAssets=mission-critical',
    ],
    [
      { newCriticalOnMissionCritical: 1 },
      '1 new critical vulnerability on mission-critical assets',
      '/dashboard/vulnerabilities?status=new&severity=critical&onAssets=mission-critical',
    ],
    [
      { criticalOpen: 1, severeOnMissionCritical: 3 },
      '1 critical vulnerability is open',
      '/dashboard/vulnerabilities?severity=critical&status=open',
    ],
    [
      { severeOnMissionCritical: 3, assetsAtRisk: 1 },
      '3 high vulnerabilities on mission-critical assets',
      '/dashboard/vulnerabilities?status=open&severity=critical&severity=high&onAssets=mission-critical',
    ],
    [{ assetsAtRisk: 1, newVulnerabilities: 3 }, '1 asset is at risk', '/dashboard/assets?status=at-risk'],
    [
      { newVulnerabilities: 3 },
      '3 new vulnerabilities in the last 30 days, without a critical one',
      '/dashboard/vulnerabilities?status=new',
    ],
    [
      {},
      '9 vulnerabilities are open, without a critical or new one',
      '/dashboard/vulnerabilities?status=open',
    ],
    [{ openVulnerabilities: 0 }, 'No vulnerabilities are open and no assets are at risk', null],
  ])('of %j is "%s"', (change, text, link) => {
    const [first] = overviewHeadline(counts({ ...filled, ...change }), today, undefined);
    expect(first).toEqual({ text, link, since: null });
  });

  const critical = '/dashboard/vulnerabilities?severity=critical&status=open';
  const highThreats = '/dashboard/threats?risk=high';
  const atRisk = '/dashboard/assets?status=at-risk';
  const urgent = '2 new critical vulnerabilities on mission-critical assets';
  it.each([
    ['critical', { criticalOpen: 6 }, ['6 critical vulnerabilities are open, more than 5'], critical],
    [
      'critical',
      { criticalOpen: 3, highThreats: 15 },
      ['15 threats have a high risk level, more than 10', '3 critical vulnerabilities are open'],
      highThreats,
    ],
    ['critical', { assetsAtRisk: 21 }, ['21 assets are at risk, more than 20'], atRisk],
    [
      'poor',
      { criticalOpen: 4, newCriticalOnMissionCritical: 2 },
      ['4 critical vulnerabilities are open, more than 2', urgent],
      critical,
    ],
    ['fair', { criticalOpen: 1, highThreats: 3 }, ['1 critical vulnerability is open'], critical],
    [
      'fair',
      { highThreats: 3, assetsAtRisk: 1 },
      ['3 threats have a high risk level, more than 2', '1 asset is at risk'],
      highThreats,
    ],
  ])('of the status %s with %j begins with the rule that decided it', (status, change, facts, link) => {
    const all = counts({ ...filled, ...change });
    const headline = overviewHeadline(all, today, undefined);
    expect(securityStatusOf(all)).toBe(status);
    expect(headline.slice(0, -1).map(({ text }) => text)).toEqual(facts);
    expect(headline[0]).toMatchObject({ link, since: null });
    expect(headline.at(-1)?.text).toMatch(/^Overall risk /u);
  });

  it.each([
    ['2026-03-16', 6, 'Risk up 9 since Monday: 27 of 100'],
    ['2026-03-11', 12, 'Risk down 9 since last Wednesday: 27 of 100'],
    ['2026-03-17', 9, 'Risk unchanged since Tuesday: 27 of 100'],
    ['2026-01-05', 6, 'Risk up 9 since Jan 5, 2026: 27 of 100'],
  ])('compares with the counts of %s, when %i were open', (day, open, text) => {
    const before = counts({ openVulnerabilities: open });
    expect(overviewHeadline(counts(filled), today, { day, counts: before })[1]).toEqual({
      text,
      link: null,
      since: day,
    });
  });

  it.each([
    ['2026-03-16', '2026-03-15', 'Risk up 9 since last Monday', 'Risk up 9 since Monday'],
    ['2026-03-15', '2026-03-16', 'Risk up 9 since Monday', 'Risk up 9 since last Monday'],
    ['2026-03-16', '2026-03-16', 'Risk up 9 since last Monday', 'Risk up 9 since last Monday'],
  ])('written on %s in UTC names the weekday as on the day %s of the reader', (written, day, text, shown) => {
    expect(headlineText({ text, since: '2026-03-09' }, { written, today: day })).toBe(shown);
    expect(headlineText({ text, since: null }, { written, today: day })).toBe(text);
  });

  it('names the score alone without an earlier recorded day', () => {
    expect(overviewHeadline(counts(filled), today, undefined)[1]?.text).toBe('Overall risk 27 of 100, Low');
  });

  it('of an empty organization names the first step', () => {
    expect(overviewHeadline(none, today, undefined)).toEqual([
      {
        text: 'Upload a report or create a project with assets to see your risk',
        link: '/dashboard/reports',
        since: null,
      },
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
      critical: 4,
      criticalOpen: 1,
      newVulnerabilities: 2,
      assetsAtRisk: 3,
    });
    expect(criticalAlerts(all).map(({ count, link }) => [link, count])).toEqual([
      ['/dashboard/vulnerabilities?severity=critical', 4],
      ['/dashboard/assets?status=at-risk', 3],
      ['/dashboard/threats?risk=high', 1],
      ['/dashboard/vulnerabilities?status=new', 2],
    ]);
    // The count is that of the list, which is of every status: a title 'are open' would contradict it.
    expect(criticalAlerts(all)[0]?.title).toBe('Critical vulnerabilities');
    expect(criticalAlerts(all)[0]?.description).toBe(
      '4 vulnerabilities have a severity of 9 or more; 1 of them is open.',
    );
    expect(criticalAlerts(counts({ critical: 4 }))).toEqual([]);
    const insights = actionableInsights(all);
    expect(insights[0]).toMatchObject({
      count: 1,
      link: '/dashboard/vulnerabilities?severity=critical&status=open',
    });
    expect(insights).toHaveLength(6);
    expect(new Set(insights.map(({ time }) => time))).toEqual(
      new Set(['2-4 hours', '1-2 days', '3-5 days', '1-2 hours', '1 week', '2-3 days']),
    );
    const texts = [...criticalAlerts(all), ...insights].map(({ description }) => description);
    expect(texts.every((text) => text.endsWith('.'))).toBe(true);
  });
});
