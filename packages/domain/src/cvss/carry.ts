import type { CvssDraft } from './draft.ts';
import { cvssVersions, type CvssVersion } from './metrics.ts';

type Values = ReadonlyMap<string, string>;
type Pairs = readonly (readonly [code: string, value: string | undefined])[];

const defined = (pairs: Pairs): Values =>
  new Map(pairs.flatMap(([code, value]) => (value === undefined ? [] : [[code, value] as const])));

/** The values of these metrics, under the same codes. */
const same = (values: Values, codes: readonly string[]): Pairs =>
  codes.map((code) => [code, values.get(code)] as const);

/** The value, where it is one of those that both versions define alike. */
const only = (value: string | undefined, ...alike: readonly string[]): string | undefined =>
  value !== undefined && alike.includes(value) ? value : undefined;

/** Same codes, values and definitions in v3.x (2.1, 4.1, 4.2) and v4.0 (2.1, 4.1, 4.2). */
const alike3and4 = ['AV', 'PR', 'CR', 'IR', 'AR', 'MAV', 'MPR'] as const;

/**
 * - AC: v4.0 splits High into AC and AT (2.1.2, 2.1.3); Low means in both that no special condition must hold.
 * - UI: v4.0 splits Required into Passive and Active (2.1.5).
 * - C, I, A: v4.0 separates the vulnerable system from subsequent ones (2.2). With a changed scope, v3.x rates
 *   whichever component suffers most (v3.1 2.3), so only "none at all" is certain for the vulnerable system.
 * - E, RL, RC, S: v4.0 defines E differently and drops the others (3.1, 1.3).
 */
function from3to4(values: Values): Values {
  const impact = (code: string) => (values.get('S') === 'C' ? only(values.get(code), 'N') : values.get(code));
  return defined([
    ...same(values, alike3and4),
    ['AC', only(values.get('AC'), 'L')],
    ['UI', only(values.get('UI'), 'N')],
    ['VC', impact('C')],
    ['VI', impact('I')],
    ['VA', impact('A')],
  ]);
}

/** AC of v3.x covers AC and AT of v4.0 (v3.1 2.1.2; v4.0 2.1.2, 2.1.3). */
function complexity3(values: Values): string | undefined {
  const [complexity, requirements] = [values.get('AC'), values.get('AT')];
  if (complexity === 'H' || requirements === 'P') return 'H';
  return requirements === 'N' ? complexity : undefined;
}

/** Passive and Active are both Required in v3.x (v4.0 2.1.5). */
const interaction3 = { N: 'N', P: 'R', A: 'R' } as const;

/**
 * The reverse of `from3to4`. C, I and A are certain only where no subsequent system suffers (v4.0 2.2): else v3.x rates
 * the component that suffers most.
 */
function from4to3(values: Values): Values {
  const isContained = ['SC', 'SI', 'SA'].every((code) => values.get(code) === 'N');
  const impact = (code: string) => (isContained ? values.get(code) : undefined);
  return defined([
    ...same(values, alike3and4),
    ['AC', complexity3(values)],
    ['UI', interaction3[values.get('UI') as keyof typeof interaction3]],
    ['C', impact('VC')],
    ['I', impact('VI')],
    ['A', impact('VA')],
  ]);
}

/**
 * Between the v2.0 guide and v3.x, in both directions:
 * - AV: Network and Adjacent (v2 2.1.1; v3.1 2.1.1). Local of v2 includes physical access, Local of v3.x does not.
 * - AC: Low, no special conditions (v2 2.1.2; v3.1 2.1.2). High and Medium of v2 include user interaction.
 * - C, I, A: None. Partial and Complete rate the whole host, Low and High the impacted component (v2 2.1.4; v3.1 2.3).
 * - CR, IR, AR: the same definitions (v2 2.3.3; v3.1 4.1).
 * - Au counts logins, PR ranks privileges (v2 2.1.3; v3.1 2.1.3): not carried. UI and S do not exist in v2.
 */
const between2and3 = (values: Values): Values =>
  defined([
    ['AV', only(values.get('AV'), 'N', 'A')],
    ['AC', only(values.get('AC'), 'L')],
    ...['C', 'I', 'A'].map((code) => [code, only(values.get(code), 'N')] as const),
    ...['CR', 'IR', 'AR'].map((code) => [code, only(values.get(code), 'L', 'M', 'H')] as const),
  ]);

/** AC Low of v2 includes that no user takes part; of v3.x it does not (v2 2.1.2; v3.1 2.1.4). */
function from3to2(values: Values): Values {
  const withoutUser = values.get('UI') === 'N';
  return new Map([...between2and3(values)].filter(([code]) => code !== 'AC' || withoutUser));
}

const family = { '2.0': '2', '3.0': '3', '3.1': '3', '4.0': '4' } as const satisfies Record<
  CvssVersion,
  string
>;
type Family = (typeof family)[CvssVersion];

const unchanged = (values: Values): Values => values;

/** v3.0 and v3.1 have the same metrics, values and definitions (v3.1 section 1 and table 15). */
const conversions: Readonly<Record<`${Family} to ${Family}`, (values: Values) => Values>> = {
  '2 to 2': unchanged,
  '3 to 3': unchanged,
  '4 to 4': unchanged,
  '2 to 3': between2and3,
  '3 to 2': from3to2,
  '3 to 4': from3to4,
  '4 to 3': from4to3,
  '2 to 4': (values) => from3to4(between2and3(values)),
  '4 to 2': (values) => from3to2(from4to3(values)),
};

/**
 * The metrics of a draft that another CVSS version expresses with the same meaning, as that version writes them; the
 * functions above name the sections of the specifications. Metrics without a certain equivalent are left out, so most
 * results are incomplete. What is carried over is a suggestion: an analyst should confirm it.
 */
export function carryCvssMetrics({ version: from, values }: CvssDraft, version: CvssVersion): CvssDraft {
  const { metrics } = cvssVersions[version];
  const carried = conversions[`${family[from]} to ${family[version]}`](values);
  const known = [...metrics.keys()].filter((code) => metrics.get(code)?.has(carried.get(code) ?? ''));
  return { version, values: new Map(known.map((code) => [code, carried.get(code) ?? ''])) };
}
