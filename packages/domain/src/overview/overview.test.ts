import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changeOf, type LedgerTotals, overviewCounts, type OverviewCounts } from './counts.ts';
import { addDays } from './days.ts';
import { exposureLevel, exposureTrend, monthEnds } from './exposure.ts';
import { explainNumber, goodDirections } from './explanation.ts';
import { vulnerabilityFunnel } from './funnel.ts';
import { headlineText, overviewHeadline } from './headline.ts';
import { actionableInsights, criticalAlerts } from './insights.ts';
import { overallRisk, remediationRate } from './overall-risk.ts';
import { riskCategories } from './risk-categories.ts';
import { securityStatusOf } from './security-status.ts';

const none = overviewCounts(new Map(), '2026-03-15');
const counts = (change: Partial<OverviewCounts>): OverviewCounts => ({ ...none, ...change });

type TotalRow = readonly [measure: string, bucket: string, count: number, sum: number];

function totalsFrom(rows: readonly TotalRow[]): LedgerTotals {
  const totals = new Map<string, Map<string, { count: number; sum: number }>>();
  for (const [measure, bucket, count, sum] of rows) {
    const buckets = totals.get(measure) ?? new Map<string, { count: number; sum: number }>();
    const before = buckets.get(bucket) ?? { count: 0, sum: 0 };
    totals.set(measure, buckets.set(bucket, { count: before.count + count, sum: before.sum + sum }));
  }
  return totals;
}

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

  it('cumulates what was discovered, less what was closed, up to each month', () => {
    const totals = totalsFrom([
      ['exposed', '2024-01-01', 1, 9],
      ['unexposed', '2024-02-01', 1, 9],
      ['exposed', '2024-02-01', 1, 5],
      ['exposed', '2025-01-01', 1, 10],
    ]);
    expect(exposureTrend(totals, '2024-03-15').slice(-4)).toEqual([
      { date: '2023-12-31', severity: null, level: null },
      { date: '2024-01-31', severity: 9, level: 'High' },
      { date: '2024-02-29', severity: 5, level: 'Medium' },
      { date: '2024-03-15', severity: 5, level: 'Medium' },
    ]);
  });

  it('is High at a mean of exactly 7 whose severities have decimals', () => {
    const totals = totalsFrom([['exposed', '2024-01-01', 3, 6.9 + 7.2 + 6.9]]);
    expect(exposureTrend(totals, '2024-01-15').at(-1)).toEqual({
      date: '2024-01-15',
      severity: 7,
      level: 'High',
    });
  });

  it('equals the mean over the rows that were open at each month end', () => {
    const day = fc.integer({ min: 0, max: 500 }).map((n) => addDays('2023-01-01', n));
    const row = fc.record({
      severity: fc.integer({ min: 0, max: 100 }).map((tenths) => tenths / 10),
      since: day,
      closed: fc.option(day),
    });
    fc.assert(
      fc.property(fc.array(row), (rows) => {
        const month = (date: string) => `${date.slice(0, 7)}-01`;
        const totals = totalsFrom(
          rows.flatMap(({ severity, since, closed }): TotalRow[] => [
            ['exposed', month(since), 1, severity],
            ...(closed === null
              ? []
              : [['unexposed', month(closed < since ? since : closed), 1, severity] as TotalRow]),
          ]),
        );
        const expected = monthEnds('2024-03-31').map((end) => {
          const open = rows.filter(
            ({ since, closed }) =>
              since <= end && (closed === null || (closed < since ? since : closed) > end),
          );
          const tenths = open.reduce((sum, { severity }) => sum + Math.round(severity * 10), 0);
          return open.length === 0 ? null : Math.round(Number((tenths / open.length).toFixed(6))) / 10;
        });
        expect(exposureTrend(totals, '2024-03-31').map(({ severity }) => severity)).toEqual(expected);
      }),
    );
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
  const categories = riskCategories(
    totalsFrom([
      ...[1, 2, 3, 4, 5].map((id): TotalRow => ['openCategory', String(id), id, id * (10 - id)]),
      ['openCategory', 'none', 90, 900],
    ]),
  );

  it('are the four with the largest summed severity, with the mean times 10', () => {
    expect(categories.map(({ name, count, value }) => [name, count, value])).toEqual([
      ['Cryptography', 5, 50],
      ['Configuration', 4, 60],
      ['Authorization', 3, 70],
      ['Authentication', 2, 80],
    ]);
  });

  it('have colors of their own with a contrast of 3:1 in both themes', () => {
    const luminance = (color: string) => {
      const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
        const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
        return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const all = [1, 2, 3, 4, 5, 6].map(
      (id) => riskCategories(totalsFrom([['openCategory', String(id), 1, 1]]))[0]?.color ?? '',
    );
    expect(new Set(all).size).toBe(6);
    for (const color of all)
      for (const surface of ['#ffffff', '#15181e']) {
        const [light = 0, dark = 0] = [luminance(color), luminance(surface)].toSorted((a, b) => b - a);
        expect((light + 0.05) / (dark + 0.05)).toBeGreaterThanOrEqual(3);
      }
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
      { newCriticalOnMissionCritical: 2, criticalOpen: 5 },
      '2 new critical vulnerabilities on mission-critical assets',
      '/dashboard/vulnerabilities?status=new&severity=critical&onAssets=mission-critical',
    ],
    [
      { newCriticalOnMissionCritical: 1, criticalOpen: 5 },
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

describe('the explanation of a number', () => {
  const amount = fc.nat({ max: 30 });
  const anyTotals = fc
    .tuple(amount, amount, amount, amount, amount, amount, amount, amount)
    .map(([critical, high, low, unrated, threats, highThreats, assets, atRisk]) =>
      totalsFrom([
        ['open', '2026-03-01', critical + high, 0],
        ['open', 'older', low + unrated, 0],
        ['openSeverity', 'critical', critical, critical * 9.5],
        ['openSeverity', 'high', high, high * 7],
        ['openSeverity', 'low', low, low * 2.1],
        ['openSeverity', 'none', unrated, 0],
        ['threats', '', threats + highThreats, 0],
        ['threatsHigh', '', highThreats, 0],
        ['threatsActive', '', threats, 0],
        ['assets', '', assets + atRisk, 0],
        ['assetsAtRisk', '', atRisk, atRisk * 1000],
      ]),
    );

  it.each([
    'overallRisk',
    'totalThreats',
    'activeThreats',
    'openVulnerabilities',
    'newVulnerabilities',
    'assetsAtRisk',
  ] as const)('%s has inputs that add up to the value', (metric) => {
    fc.assert(
      fc.property(anyTotals, (totals) => {
        const { inputs, value } = explainNumber(metric, totals, '2026-03-15');
        expect(inputs.reduce((sum, { adds }) => sum + (adds ?? Number.NaN), 0)).toBe(value);
        expect(
          inputs.every(({ weight, value: of, adds }) => weight === undefined || weight * of === adds),
        ).toBe(true);
      }),
    );
  });

  it('divides the inputs of rate and exposure', () => {
    const totals = totalsFrom([
      ['open', '2026-03-01', 1, 0],
      ['open', 'older', 2, 0],
      ['openSeverity', 'critical', 2, 19],
      ['openSeverity', 'medium', 1, 4.5],
    ]);
    const rate = explainNumber('remediationRate', totals, '2026-03-15');
    expect([rate.value, rate.inputs.map(({ value }) => value)]).toEqual([25, [1, 3]]);
    const exposure = explainNumber('riskExposure', totals, '2026-03-15');
    expect([exposure.value, exposure.inputs.map(({ value }) => value)]).toEqual([7.8, [23.5, 3]]);
    expect(exposure.bands.filter(({ current }) => current).map(({ label }) => label)).toEqual(['High']);
  });

  it('marks exactly one band of score and status', () => {
    fc.assert(
      fc.property(anyTotals, (totals) => {
        for (const metric of ['overallRisk', 'securityStatus'] as const) {
          const { bands } = explainNumber(metric, totals, '2026-03-15');
          expect(bands.filter(({ current }) => current)).toHaveLength(1);
        }
      }),
    );
  });

  it('says that a higher remediation rate and otherwise a lower number is better', () => {
    expect(Object.entries(goodDirections).filter(([, good]) => good === 'higher')).toEqual([
      ['remediationRate', 'higher'],
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
