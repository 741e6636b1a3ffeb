import { normalized } from '../unicode.ts';
import { isGeneric } from './generic-terms.ts';

/** A run of letters and digits in a text. */
interface Token {
  /** For comparison: compatibility forms, case and composed characters make no difference. */
  folded: string;
  start: number;
  end: number;
}

/** A text with its tokens, so that terms are found without reading it again. */
export interface TokenizedText {
  text: string;
  tokens: readonly Token[];
}

const tokenForm = /[\p{L}\p{N}\p{M}]+/gu;

const fold = (text: string): string => normalized(normalized(text, 'NFKC').toLowerCase(), 'NFKC');

/** Longer texts are compared up to here, in UTF-16 units. */
const longestText = 20_000;

export function tokenize(whole: string): TokenizedText {
  const text = whole.slice(0, longestText);
  const tokens = Array.from(text.matchAll(tokenForm), ({ 0: found, index }) => ({
    folded: fold(found),
    start: index,
    end: index + found.length,
  }));
  return { text, tokens };
}

/** The tokens of a term as they are compared. */
export const termOf = (text: string): string[] => tokenize(text).tokens.map(({ folded }) => folded);

/** What may be between two tokens of one term: 'Internet Explorer', 'internet_explorer', 'node.js'. */
const joint = /^(?:\s+|[_\-./:+&']{1,2}|\s[-/&+]\s)$/u;

/**
 * The term as the text has it, at its first occurrence; undefined when it does not occur. A term is found only between
 * word boundaries.
 */
export function findTerm({ text, tokens }: TokenizedText, term: readonly string[]): string | undefined {
  if (term.length === 0) return undefined;
  for (let first = 0; first + term.length <= tokens.length; first += 1) {
    if (!term.every((part, n) => tokens[first + n]?.folded === part)) continue;
    const found = tokens.slice(first, first + term.length);
    const isJoined = found.every(
      ({ start }, n) => n === 0 || joint.test(text.slice(found[n - 1]?.end, start)),
    );
    if (isJoined) return text.slice(found[0]?.start, found.at(-1)?.end);
  }
  return undefined;
}

/** Shorter products, vendors and names occur in unrelated texts; in characters, without what is between the tokens. */
const shortestTerm = 3;
/** Of a single term of a name. */
export const shortestSingle = 4;

export const lengthOf = (term: readonly string[]): number => Array.from(term.join('')).length;

/** Whether a term says enough to relate two records: one token that is not generic, and enough characters. */
export const isDistinctive = (term: readonly string[], shortest = shortestTerm): boolean =>
  lengthOf(term) >= shortest && term.some((token) => !isGeneric(token));
