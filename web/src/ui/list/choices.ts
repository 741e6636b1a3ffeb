import { notAvailable, type ListField } from '@riskboard/contract';
import type { Facet } from './use-facet.ts';

/** A value that a field may be narrowed to; `count` null: nobody counted. */
export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly count: number | null;
}

interface Known {
  field: ListField;
  facet: Facet | undefined;
  /** Values that are chosen now: they stay in sight even where no row has them any more. */
  chosen: readonly string[];
  word: (value: string) => string;
}

/** Declared values in their order, others most frequent first; `N/A` last, where rows without a value are. */
export function choicesOf({ field, facet, chosen, word }: Known): Choice[] {
  const counts = new Map(facet?.values.map(({ value, count }) => [value, count]));
  const labels = new Map(facet?.values.map(({ value, label }) => [value, label]));
  const declared = field.values ?? [];
  const values = new Set([...declared, ...counts.keys(), ...chosen]);
  values.delete(notAvailable);
  const plain = [...values].map((value) => ({
    value,
    label: labels.get(value) ?? word(value),
    count: facet === undefined ? null : (counts.get(value) ?? 0),
  }));
  const empty = { value: notAvailable, label: notAvailable, count: counts.get(notAvailable) ?? null };
  const offered = empty.count !== null || chosen.includes(notAvailable);
  return offered ? [...plain, empty] : plain;
}

/** Choices whose words hold the text, in any case. */
export function matching(choices: readonly Choice[], text: string): Choice[] {
  const wanted = text.trim().toLowerCase();
  return choices.filter(({ label, value }) => `${label} ${value}`.toLowerCase().includes(wanted));
}

/** `checked` of the box that stands for all that are shown. */
export function allChecked(choices: readonly Choice[], chosen: readonly string[]): boolean | 'mixed' {
  const count = choices.filter(({ value }) => chosen.includes(value)).length;
  if (count === 0) return false;
  return count === choices.length ? true : 'mixed';
}
