import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays } from './days.ts';
import { exposureLevel, exposureTrend, monthEnds } from './exposure.ts';
import { riskCategories } from './risk-categories.ts';
import { totalsFrom } from './testing/totals-from.ts';

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
      ['openSeverity', 'medium', 1, 5],
      ['openSeverity', 'critical', 1, 10],
    ]);
    expect(exposureTrend(totals, '2024-03-15').slice(-4)).toEqual([
      { date: '2023-12-31', severity: null, level: null },
      { date: '2024-01-31', severity: 9, level: 'High' },
      { date: '2024-02-29', severity: 5, level: 'Medium' },
      // Today's point has what is open now, also the one discovered in 2025.
      { date: '2024-03-15', severity: 7.5, level: 'High' },
    ]);
  });

  it('is High at a mean of exactly 7 whose severities have decimals', () => {
    const totals = totalsFrom([['exposed', '2024-01-01', 3, 6.9 + 7.2 + 6.9]]);
    expect(exposureTrend(totals, '2024-02-15').at(-2)).toEqual({
      date: '2024-01-31',
      severity: 7,
      level: 'High',
    });
  });

  it('has the level of the severity that it shows', () => {
    const totals = totalsFrom([['exposed', '2024-01-01', 2, 6.9 + 7]]);
    expect(exposureTrend(totals, '2024-02-15').at(-2)).toMatchObject({ severity: 7, level: 'High' });
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
        const isOpen = ({ since, closed }: { since: string; closed: string | null }, end: string) =>
          since <= end && (closed === null || (closed < since ? since : closed) > end);
        const totals = totalsFrom(
          rows.flatMap(({ severity, since, closed }): TotalRow[] => [
            ['exposed', month(since), 1, severity],
            ...(closed === null
              ? []
              : [['unexposed', month(closed < since ? since : closed), 1, severity] as TotalRow]),
            ...(isOpen({ since, closed }, '2024-03-31')
              ? [['openSeverity', 'high', 1, severity] as TotalRow]
              : []),
          ]),
        );
        const expected = monthEnds('2024-03-31').map((end) => {
          const open = rows.filter((one) => isOpen(one, end));
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

  it('round halves up, as all numbers', () => {
    expect(riskCategories(totalsFrom([['openCategory', '3', 4, 4 + 4 + 4.4 + 4.5]]))).toMatchObject([
      { value: 42.3 },
    ]);
  });

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
