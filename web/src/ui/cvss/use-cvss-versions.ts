import {
  carryCvssMetrics,
  cvssVersionIn,
  parseCvssVector,
  readCvssDraft,
  writeCvssDraft,
  type CvssDraft,
  type CvssVersion,
} from '@riskboard/domain';
import { useState } from 'react';

/** What was entered in one version. */
interface Entry {
  /** The vector, possibly incomplete or invalid. */
  text: string;
  /** Codes of the metrics that another version suggested and the user has not confirmed. */
  carried: ReadonlySet<string>;
  /** The version that suggested them. */
  from: CvssVersion | undefined;
}

interface Versions extends Entry {
  version: CvssVersion;
  /** The vector that the editor started with. */
  initial: string;
  /** What was entered in the versions that are not shown. */
  kept: ReadonlyMap<CvssVersion, Entry>;
  /** Whether the user cleared the vector, so that it is empty on purpose. */
  cleared: boolean;
}

const noCodes: ReadonlySet<string> = new Set();

/** A text without a prefix is a v2 vector, unless it is empty or the prefix is still being typed. */
function versionOf(text: string, picked: CvssVersion): CvssVersion {
  const begun = text.trim() === '' || /^\s*\(?C(?:V|$)/iu.test(text);
  return cvssVersionIn(text) ?? (begun ? picked : '2.0');
}

const startOf = (text: string, picked: CvssVersion): Versions => ({
  text,
  carried: noCodes,
  from: undefined,
  version: versionOf(text, picked),
  initial: text,
  kept: new Map(),
  cleared: false,
});

const draftOf = (version: CvssVersion, { text }: Entry): CvssDraft => readCvssDraft(text, version);

/** Whether an entry contains more than suggestions. */
const isOwn = (version: CvssVersion, entry: Entry): boolean => {
  const { values } = draftOf(version, entry);
  return values.size === 0
    ? entry.text.trim() !== ''
    : [...values.keys()].some((code) => !entry.carried.has(code));
};

const withoutCode = (codes: ReadonlySet<string>, code: string): ReadonlySet<string> =>
  new Set([...codes].filter((one) => one !== code));

const keptAfter = ({ version, text, carried, from, kept }: Versions) =>
  new Map([...kept, [version, { text, carried, from }] as const]);

/** The newest version that contains more than suggestions: what another version is suggested from. */
function sourceOf(now: Versions): [CvssVersion, Entry] | undefined {
  if (isOwn(now.version, now)) return [now.version, now];
  return [...now.kept].findLast(([version, entry]) => isOwn(version, entry));
}

/**
 * Shows another version: what was entered there, exactly; else what the newest version with own metrics suggests
 * (`carryCvssMetrics`).
 */
function switched(now: Versions, version: CvssVersion): Versions {
  if (version === now.version) return now;
  const kept = keptAfter(now);
  const known = kept.get(version);
  const rest = { initial: now.initial, cleared: false, version };
  kept.delete(version);
  if (known !== undefined && isOwn(version, known)) return { ...known, ...rest, kept };
  const source = sourceOf(now);
  if (source === undefined) return { text: '', carried: noCodes, from: undefined, ...rest, kept };
  const [from, entry] = source;
  const suggested = carryCvssMetrics(draftOf(from, entry), version);
  return {
    text: writeCvssDraft(suggested),
    carried: new Set(suggested.values.keys()),
    from,
    ...rest,
    kept,
  };
}

/**
 * After the text changed. A complete vector of another version switches to it. A pasted vector is confirmed as a
 * whole; a typed one where it differs from the suggestions.
 */
function typed(now: Versions, text: string, isPasted: boolean): Versions {
  const version = versionOf(text, now.version);
  if (version !== now.version) {
    const kept = parseCvssVector(text).ok ? keptAfter(now) : new Map(now.kept);
    kept.delete(version);
    return { ...now, text, version, carried: noCodes, from: undefined, kept, cleared: false };
  }
  const [before, after] = [draftOf(version, now).values, readCvssDraft(text, version).values];
  const still = isPasted ? [] : [...now.carried].filter((code) => after.get(code) === before.get(code));
  return { ...now, text, carried: new Set(still), cleared: false };
}

function chosen(now: Versions, code: string, value: string | undefined): Versions {
  const values = new Map(draftOf(now.version, now).values);
  if (value === undefined) values.delete(code);
  else values.set(code, value);
  const text = writeCvssDraft({ version: now.version, values });
  return { ...now, text, carried: withoutCode(now.carried, code), cleared: false };
}

/** 'v3.1'; 'v2' for 2.0. */
export const versionLabel = (version: CvssVersion): string => (version === '2.0' ? 'v2' : `v${version}`);

/** Why the vector must not be saved as it is, beyond what is wrong with its text; undefined when it may be. */
function blockedBy({ text, version, carried, from, kept, cleared }: Versions): string | undefined {
  if (carried.size > 0 && from !== undefined) {
    return `Confirm the metrics carried over from ${versionLabel(from)}.`;
  }
  const other = [...kept].findLast(([one, entry]) => isOwn(one, entry))?.[0];
  if (text.trim() !== '' || cleared || other === undefined) return undefined;
  return `No ${versionLabel(version)} metrics chosen. Choose them, return to ${versionLabel(other)}, or clear the vector.`;
}

/** What the form around the editor must know in addition to the vector. */
export interface CvssPending {
  /** Why the vector must not be saved yet. */
  blockedBy: string | undefined;
  /** Metrics of another version were entered and would be lost. */
  isUnsaved: boolean;
}

/**
 * The vector in the editor, and what the user entered in the other CVSS versions: switching back restores it exactly.
 * A version without own metrics starts with what carries over; `carried` marks that until it is confirmed or changed.
 * @param value the vector; a value that did not come from `onChange` starts over
 */
export function useCvssVersions(value: string, onChange: (value: string) => void) {
  const [last, setLast] = useState(() => startOf(value, '3.1'));
  const now = last.text === value ? last : startOf(value, last.version);

  function show(next: Versions): void {
    setLast(next);
    if (next.text !== value) onChange(next.text);
  }

  const isUnsaved = [...now.kept].some(
    ([version, entry]) => isOwn(version, entry) && entry.text !== now.initial,
  );
  const pending: CvssPending = { blockedBy: blockedBy(now), isUnsaved };
  return {
    draft: draftOf(now.version, now),
    carried: now.carried,
    from: now.from,
    pending,
    /** There is something to clear: the vector, or the vector of another version that an empty one would replace. */
    canClear: value !== '' || pending.blockedBy !== undefined,
    type: (text: string, isPasted: boolean) => show(typed(now, text, isPasted)),
    /** Undefined: the metric is not defined. Choosing the value it has confirms it. */
    choose: (code: string, chosenValue: string | undefined) => show(chosen(now, code, chosenValue)),
    switchTo: (version: CvssVersion) => show(switched(now, version)),
    confirm: () => show({ ...now, carried: noCodes, from: undefined }),
    clear: () => show({ ...now, text: '', carried: noCodes, from: undefined, cleared: true }),
  };
}
