import type { ActivityEntry } from '@riskboard/contract';

export interface Person {
  name: string;
  /** Empty where the log knows none. */
  email: string;
}

/** A person as the log calls them: 'Ada Lovelace <ada@example.org>'. Another text is a name by itself. */
export function personOf(text: string): Person {
  const [, name, email] = /^(.*) <([^<>]+)>$/su.exec(text) ?? [];
  return name === undefined || email === undefined ? { name: text, email: '' } : { name, email };
}

/** Who did it: Riskboard itself, or somebody who did not say, where the log has no name. */
export function doerOf({ actor, via }: Pick<ActivityEntry, 'actor' | 'via'>): Person {
  if (actor !== '') return personOf(actor);
  return { name: via === 'system' ? 'Riskboard' : 'Somebody', email: '' };
}

/** What a person takes for one character, whatever it is made of. */
const characters = new Intl.Segmenter('en-US');

const firstOf = (word: string): string =>
  characters.segment(word)[Symbol.iterator]().next().value?.segment ?? '';

/** 'AL' of 'Ada Lovelace', 'A' of 'Ada'. */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/u).filter((word) => word !== '');
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  return ends
    .map((word = '') => firstOf(word))
    .join('')
    .toUpperCase();
}
