import type { CwssExplanation, CwssOverride } from '@riskboard/contract';
import {
  cwssOrder,
  quantified,
  weightUnit,
  type CwssChoice,
  type CwssChoices,
  type CwssFactor,
} from '@riskboard/domain';
import { unitsOf } from './factor-text.ts';

/** A change of one factor that is not saved yet. */
export interface FactorDraft {
  /** Null: the analyst's value is removed, and the suggestion is used again. */
  readonly choice: CwssChoice | null;
  readonly reason: string;
  /** The stored value of the analyst when the change began; undefined without one. */
  readonly base: CwssOverride | undefined;
  /** The entered text of a weight that is not from 0 to 1; it keeps the drafts from being saved. */
  readonly refused?: string | undefined;
}

export type FactorDrafts = Readonly<Partial<Record<CwssFactor, FactorDraft>>>;
type Explained = Pick<CwssExplanation, 'factors' | 'overrides'>;

const entriesOf = (drafts: FactorDrafts): [CwssFactor, FactorDraft][] =>
  cwssOrder.flatMap((factor): [CwssFactor, FactorDraft][] => {
    const draft = drafts[factor];
    return draft === undefined ? [] : [[factor, draft]];
  });

/** Without the draft of a factor. */
export function withoutDraft(drafts: FactorDrafts, factor: CwssFactor): FactorDrafts {
  const { [factor]: _dropped, ...rest } = drafts;
  return rest;
}

const isSame = (a: CwssOverride | undefined, b: CwssOverride | undefined): boolean =>
  a?.value === b?.value && a?.weight === b?.weight && a?.reason === b?.reason && a?.at === b?.at;

interface FactorChange {
  explained: Explained;
  choice?: CwssChoice;
  reason?: string;
  refused?: string;
}

/**
 * Changes a factor. A reason that explained the stored value does not explain another one: it is cleared. A change back
 * to the stored value has the stored reason again, and with it is no longer a draft.
 */
export function changeDraft(
  drafts: FactorDrafts,
  factor: CwssFactor,
  { explained, choice, reason, refused }: FactorChange,
): FactorDrafts {
  const present = storedChoices(explained)[factor];
  const draft = drafts[factor];
  const base = draft === undefined ? explained.overrides[factor] : draft.base;
  const isKnown = base === explained.overrides[factor];
  const chosen = choice ?? draft?.choice ?? present;
  const isPresent = chosen.code === present.code && chosen.weight === present.weight;
  const storedReason = base?.reason ?? '';
  const written = draft?.reason === storedReason ? '' : (draft?.reason ?? '');
  const next = {
    choice: chosen,
    reason: reason ?? (written === '' && isPresent && isKnown ? storedReason : written),
    base,
    refused: choice === undefined ? draft?.refused : refused,
  };
  return isPresent && isKnown && next.reason === storedReason && next.refused === undefined
    ? withoutDraft(drafts, factor)
    : { ...drafts, [factor]: next };
}

/** Removes the analyst's value of a factor. */
export const removeOverride = (
  drafts: FactorDrafts,
  factor: CwssFactor,
  { overrides }: Explained,
): FactorDrafts => ({
  ...drafts,
  [factor]: { choice: null, reason: '', base: drafts[factor]?.base ?? overrides[factor] },
});

/**
 * The factors with the values of analysts that are stored now. They differ from those of the score while it cannot be
 * calculated again, as after the deletion of its vignette.
 */
export function storedChoices({ factors, overrides }: Explained): CwssChoices {
  const stored = factors.map(({ code, value, weight, source, suggested }) => {
    const own = overrides[code] ?? (source === 'analyst' && suggested !== null ? suggested : undefined);
    return [code, { code: own?.value ?? value, weight: unitsOf(own?.weight ?? weight) }];
  });
  return Object.fromEntries(stored) as CwssChoices;
}

/** The suggested value of a factor: what it has without the analyst. */
export function suggestionOf({ factors }: Pick<Explained, 'factors'>, factor: CwssFactor) {
  const explained = factors.find(({ code }) => code === factor);
  return explained?.suggested ?? explained;
}

/** The choices with the drafts applied. */
export function draftedChoices(explained: Explained, drafts: FactorDrafts): CwssChoices {
  const present = storedChoices(explained);
  const changed = entriesOf(drafts).map(([factor, { choice }]): [CwssFactor, CwssChoice] => {
    if (choice !== null) return [factor, choice];
    const suggestion = suggestionOf(explained, factor);
    return [
      factor,
      suggestion === undefined
        ? present[factor]
        : { code: suggestion.value, weight: unitsOf(suggestion.weight) },
    ];
  });
  return { ...present, ...Object.fromEntries(changed) };
}

/** Factors that another user has set or removed since the draft began. */
export const conflictsOf = ({ overrides }: Explained, drafts: FactorDrafts): CwssFactor[] =>
  entriesOf(drafts)
    .filter(([factor, { base }]) => !isSame(base, overrides[factor]))
    .map(([factor]) => factor);

/** Accepts what another user stored as known, so that saving replaces it. */
export function keepDraft(drafts: FactorDrafts, factor: CwssFactor, { overrides }: Explained): FactorDrafts {
  const draft = drafts[factor];
  return draft === undefined ? drafts : { ...drafts, [factor]: { ...draft, base: overrides[factor] } };
}

/** Drafts without the reason that they need. */
export const withoutReason = (drafts: FactorDrafts): CwssFactor[] =>
  entriesOf(drafts)
    .filter(([, { choice, reason }]) => choice !== null && reason.trim() === '')
    .map(([factor]) => factor);

/** The refused texts of weights, by factor. */
export const refusedWeights = (drafts: FactorDrafts): Partial<Record<CwssFactor, string>> =>
  Object.fromEntries(
    entriesOf(drafts).flatMap(([factor, { refused }]) => (refused === undefined ? [] : [[factor, refused]])),
  );

/** The body of the call that saves the drafts. */
export const bodyOf = (drafts: FactorDrafts) =>
  Object.fromEntries(
    entriesOf(drafts).map(([factor, { choice, reason }]) => [
      factor,
      choice === null
        ? null
        : {
            value: choice.code,
            reason: reason.trim(),
            ...(choice.code === quantified && { weight: choice.weight / weightUnit }),
          },
    ]),
  );
