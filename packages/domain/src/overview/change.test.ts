import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { presentCauses } from './change-causes.ts';
import { type LedgerTotals, overviewCounts } from './counts.ts';
import { addDays, daysBetween, mondayOf } from './days.ts';
import { exposureChange } from './exposure-change.ts';
import { overallRisk, overallRiskFormulas, overviewFormulaVersion, riskCounts } from './overall-risk.ts';
import { type ChangeCause, type CountFlow, riskChange } from './risk-change.ts';
import { type LedgerFlow, riskFlows } from './risk-flows.ts';

const none = { totalThreats: 0, openVulnerabilities: 0, newVulnerabilities: 0, assetsAtRisk: 0 };
/** As a client adds them up. */
const sumOf = (causes: readonly { delta: number }[]): number =>
  causes.reduce((sum, { delta }) => sum + delta, 0);
const shown = (causes: readonly ChangeCause[]) =>
  causes.map(({ noun, cause, rows, delta }) => [noun, cause, rows, delta]);

const amount = fc.nat({ max: 60 });
const anyCounts = fc.record({
  totalThreats: amount,
  openVulnerabilities: amount,
  newVulnerabilities: amount,
  assetsAtRisk: amount,
});
const anyFlow: fc.Arbitrary<CountFlow> = fc.record({
  count: fc.constantFrom(...riskCounts),
  cause: fc.constantFrom('found', 'fixed', 'deleted', 'restored'),
  rows: fc.integer({ min: -30, max: 30 }),
});

describe('the causes of a change of the overall risk score', () => {
  const halves = fc.integer({ min: 0, max: 10 }).map((n) => n / 2);
  const anyWeights = fc.record({
    totalThreats: halves,
    openVulnerabilities: halves,
    newVulnerabilities: halves,
    assetsAtRisk: halves,
  });

  it('add up exactly to the difference, with formula, rounding and cap, regardless of what was recorded', () => {
    fc.assert(
      fc.property(anyCounts, anyCounts, fc.array(anyFlow), anyWeights, (before, after, flows, weights) => {
        const { from, to, causes } = riskChange({ counts: before, weights }, { counts: after }, flows);
        expect(sumOf(causes)).toBe(to - from);
        expect(from).toBe(overallRisk(before, weights).score);
        expect(to).toBe(overallRisk(after).score);
        expect(causes.every(({ delta }) => delta !== 0)).toBe(true);
      }),
    );
  });

  it('count a new vulnerability once, with the points of an open and of a new one', () => {
    const { causes } = riskChange(
      { counts: none },
      { counts: { ...none, openVulnerabilities: 4, newVulnerabilities: 6, assetsAtRisk: 1 } },
      [
        { count: 'openVulnerabilities', cause: 'found', rows: 6 },
        { count: 'newVulnerabilities', cause: 'found', rows: 6 },
        { count: 'openVulnerabilities', cause: 'fixed', rows: -2 },
        { count: 'assetsAtRisk', cause: 'related', rows: 1 },
      ],
    );
    expect(shown(causes)).toEqual([
      ['vulnerabilities', 'found', 6, 30],
      ['vulnerabilities', 'fixed', -2, -6],
      ['assets', 'related', 1, 1.5],
      [undefined, 'rounding', 0, 0.5],
    ]);
  });

  it('have the part `unrecorded` when the flows do not explain the counts', () => {
    const after = { ...none, openVulnerabilities: 4, assetsAtRisk: 2 };
    expect(shown(riskChange({ counts: none }, { counts: after }, []).causes)).toEqual([
      ['vulnerabilities', 'unrecorded', 4, 12],
      ['assets', 'unrecorded', 2, 3],
    ]);
  });

  it('name a new version of the formula when it alone moved the score', () => {
    const counts = { ...none, totalThreats: 3 };
    const weights = { totalThreats: 1, openVulnerabilities: 3, newVulnerabilities: 2, assetsAtRisk: 1.5 };
    expect(riskChange({ counts, weights }, { counts }, [])).toEqual({
      from: 3,
      to: 6,
      causes: [{ noun: undefined, cause: 'formula', rows: 0, delta: 3 }],
    });
    expect(overallRiskFormulas[overviewFormulaVersion]).toBeDefined();
  });
});

describe('the flows between two days of the ledger', () => {
  const first = '2024-02-01';
  /** A ledger of entries by day, and the totals at the end of each day. */
  const anyEntries = fc.array(
    fc.record({
      day: fc.nat({ max: 80 }),
      /** Days before the entry on which the vulnerability was created; below 0 after the clock was set back. */
      age: fc.integer({ min: -2, max: 70 }),
      cause: fc.constantFrom('found', 'fixed', 'reopened', 'deleted', 'example'),
      rows: fc.integer({ min: -3, max: 5 }),
    }),
    { maxLength: 40 },
  );
  type Entries = (typeof anyEntries extends fc.Arbitrary<infer T> ? T : never) & readonly unknown[];
  const entriesOf = (entries: Entries): (LedgerFlow & { day: string })[] =>
    entries.map(({ day, age, cause, rows }) => ({
      day: addDays(first, day),
      measure: 'open',
      bucket: addDays(first, day - age),
      cause,
      count: rows,
      sum: 0,
    }));
  function totalsAt(entries: readonly (LedgerFlow & { day: string })[], day: string): LedgerTotals {
    const open = new Map<string, { count: number; sum: number }>();
    for (const entry of entries.filter((one) => one.day <= day))
      open.set(entry.bucket, { count: (open.get(entry.bucket)?.count ?? 0) + entry.count, sum: 0 });
    return new Map([['open', open]]);
  }

  it('explain the counts of open and new vulnerabilities completely, on any day of creation', () => {
    fc.assert(
      fc.property(anyEntries, fc.nat({ max: 80 }), fc.nat({ max: 80 }), (generated, one, other) => {
        const entries = entriesOf(generated);
        const period = {
          from: addDays(first, Math.min(one, other)),
          to: addDays(first, Math.max(one, other)),
        };
        const [before, after] = [totalsAt(entries, period.from), totalsAt(entries, period.to)];
        const between = entries.filter(({ day }) => day > period.from && day <= period.to);
        const { causes, from, to } = riskChange(
          { counts: overviewCounts(before, period.from) },
          { counts: overviewCounts(after, period.to) },
          riskFlows(before, between, period),
        );
        expect(causes.filter(({ cause }) => cause === 'unrecorded')).toEqual([]);
        expect(sumOf(causes)).toBe(to - from);
      }),
    );
  });

  it('count a vulnerability as aged only when it is still open at the end and was new at the start', () => {
    const created = '2024-02-20';
    const flow = (cause: string, count: number): LedgerFlow => ({
      measure: 'open',
      bucket: created,
      cause,
      count,
      sum: 0,
    });
    const before: LedgerTotals = new Map([['open', new Map([[created, { count: 3, sum: 0 }]])]]);
    const explained = (to: string) =>
      shown(
        riskChange(
          { counts: overviewCounts(before, '2024-02-29') },
          {
            counts: overviewCounts(new Map([['open', new Map([[created, { count: 2, sum: 0 }]])]]), to),
          },
          riskFlows(before, [flow('fixed', -1)], { from: '2024-02-29', to }),
        ).causes,
      );
    // 2024 has a February 29: the last day on which it is new is March 21.
    expect(explained('2024-03-21')).toEqual([['vulnerabilities', 'fixed', -1, -5]]);
    expect(explained('2024-03-22')).toEqual([
      ['vulnerabilities', 'fixed', -1, -5],
      ['vulnerabilities', 'aged', -2, -4],
    ]);
  });
});

describe('the causes of a change of the exposure', () => {
  const anyExposure = fc.record({
    cause: fc.constantFrom('found', 'fixed', 'severity', 'deleted', 'reopened', 'restored'),
    count: fc.integer({ min: -20, max: 20 }),
    severity: fc.integer({ min: 0, max: 100 }).map((tenths) => tenths / 10),
  });

  it('add up exactly to the difference of the shown scores, as binary fractions in the order of the list', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 50 }),
        fc.integer({ min: 0, max: 100 }),
        fc.array(anyExposure, { maxLength: 12 }),
        fc.boolean(),
        (count, severity, changes, endsEmpty) => {
          const before = { count, sum: (count * severity) / 10 };
          const after = { ...before };
          const flows: { cause: string; count: number; sum: number }[] = [];
          for (const { cause, count: rows, severity: each } of changes) {
            const sum = cause === 'severity' ? rows / 10 : rows * each;
            const added = cause === 'severity' ? 0 : rows;
            const next = { count: after.count + added, sum: after.sum + sum };
            if (next.count < 0 || next.sum < 0 || next.sum > next.count * 10) continue;
            Object.assign(after, next);
            flows.push({ cause, count: added, sum });
          }
          if (endsEmpty) {
            flows.push({ cause: 'deleted', count: -after.count, sum: -after.sum });
            Object.assign(after, { count: 0, sum: 0 });
          }
          const { from, to, causes } = exposureChange(before, after, flows);
          expect(sumOf(causes)).toBe((to ?? 0) - (from ?? 0));
          expect(from === null).toBe(before.count === 0);
          expect(to === null).toBe(after.count === 0);
          expect(causes.filter(({ cause }) => cause === 'unrecorded')).toEqual([]);
          const rounding = causes.filter(({ cause }) => cause === 'rounding');
          expect(rounding.every(({ delta }) => Math.abs(delta) < 0.01)).toBe(true);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('are weighed by the number of vulnerabilities at the end', () => {
    const flows = [
      { cause: 'found', count: 2, sum: 18 },
      { cause: 'fixed', count: -1, sum: -4 },
      { cause: 'severity', count: 0, sum: 2 },
    ];
    expect(exposureChange({ count: 3, sum: 15 }, { count: 4, sum: 31 }, flows)).toEqual({
      from: 5,
      to: 7.75,
      causes: [
        { noun: 'vulnerabilities', cause: 'found', rows: 2, delta: 2 },
        { noun: 'vulnerabilities', cause: 'severity', rows: 0, delta: 0.5 },
        { noun: 'vulnerabilities', cause: 'fixed', rows: -1, delta: 0.25 },
      ],
    });
  });

  it.each([
    ['begins at 0 without a vulnerability at the start', [0, 0], [2, 15], null, 7.5, 7.5],
    ['ends at 0 without a vulnerability at the end', [2, 15], [0, 0], 7.5, null, -7.5],
  ])('%s', (_name, [n1 = 0, s1 = 0], [n2 = 0, s2 = 0], from, to, delta) => {
    const flows = [{ cause: 'found', count: n2 - n1, sum: s2 - s1 }];
    expect(exposureChange({ count: n1, sum: s1 }, { count: n2, sum: s2 }, flows)).toEqual({
      from,
      to,
      causes: [{ noun: 'vulnerabilities', cause: 'found', rows: n2 - n1, delta }],
    });
  });

  it('are empty when both days are without a vulnerability', () => {
    const empty = { count: 0, sum: 0 };
    expect(exposureChange(empty, empty, [])).toEqual({ from: null, to: null, causes: [] });
  });
});

describe('the labels and links of causes', () => {
  const linkOf = (noun: 'vulnerabilities' | 'threats' | 'assets', cause: string) =>
    presentCauses(
      [{ noun, cause, rows: -2, delta: -6 }],
      { from: '2024-02-28', to: '2024-03-31' },
      'risk',
    )[0];
  const days = (field: string) => `${field}Min=2024-02-29T00:00:00.000Z&${field}Max=2024-03-31T23:59:59.999Z`;

  it.each([
    ['vulnerabilities', 'found', `/dashboard/vulnerabilities?${days('createdAt')}`],
    ['vulnerabilities', 'fixed', `/dashboard/vulnerabilities?status=fixed&${days('statusChangedAt')}`],
    ['vulnerabilities', 'reopened', `/dashboard/vulnerabilities?status=open&${days('statusChangedAt')}`],
    ['vulnerabilities', 'severity', `/dashboard/vulnerabilities?${days('severityChangedAt')}`],
    [
      'vulnerabilities',
      'aged',
      '/dashboard/vulnerabilities?status=open&createdAtMin=2024-01-29T00:00:00.000Z&createdAtMax=2024-02-28T23:59:59.999Z',
    ],
    ['threats', 'found', `/dashboard/threats?${days('createdAt')}`],
    [
      'threats',
      'deleted',
      `/dashboard/activity?action=threat.deleted&action=report.deleted&action=report.records-removed&${days('at')}`,
    ],
    ['assets', 'related', `/dashboard/assets?status=at-risk&${days('riskChangedAt')}`],
    ['assets', 'levels', `/dashboard/assets?${days('riskChangedAt')}`],
    ['assets', 'found', `/dashboard/assets?status=at-risk&${days('createdAt')}`],
    ['threats', 'recorded', null],
  ] as const)('open the rows of %s %s by whole UTC days after the first day', (noun, cause, query) => {
    expect(linkOf(noun, cause)).toMatchObject({ code: `${noun}.${cause}`, count: 2, query });
  });

  it('name a cause that has no label of its own', () => {
    expect(linkOf('threats', 'merged')?.label).toBe('Threats: merged');
  });
});

describe('calendar days', () => {
  it.each([
    ['2024-02-28', 1, '2024-02-29'],
    ['2023-02-28', 1, '2023-03-01'],
    ['2024-03-31', -30, '2024-03-01'],
    ['2025-01-01', -1, '2024-12-31'],
  ])('%s and %s days is %s', (day, days, expected) => {
    expect(addDays(day, days)).toBe(expected);
    expect(daysBetween(day, expected)).toBe(days);
  });

  it.each([
    ['2024-03-03', '2024-02-26'],
    ['2024-03-04', '2024-03-04'],
    ['2023-01-01', '2022-12-26'],
  ])('the week of %s begins on Monday, %s', (day, monday) => {
    expect(mondayOf(day)).toBe(monday);
  });
});
