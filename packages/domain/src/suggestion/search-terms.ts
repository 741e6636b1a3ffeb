import { type AffectedTerm } from './affected-products.ts';
import { isGeneric } from './generic-terms.ts';
import type { AssetMatcher, AssetTexts, RecordMatcher, RecordTexts } from './reasons.ts';
import { isDistinctive, termOf } from './tokens.ts';

/** Terms of each kind that a search for candidates uses; the first ones, when there are more. */
const most = { singles: 8, products: 40, identifiers: 20, affected: 12, tokens: 80 } as const;

/** What the records that may concern an asset contain. */
export interface TermsOfAsset {
  /** The whole name; empty when it is too short or generic. */
  name: string[];
  /** Tokens of the name. */
  singles: string[];
  /** Tokens of all texts, of which products and vendors may consist. */
  products: string[];
  /** CVE, CAPEC and ATT&CK ids in the texts, in capitals. */
  identifiers: string[];
}

const identifierForm =
  /(?<![\p{L}\p{N}])(?:CVE-\d{4}-\d{4,19}|CAPEC-\d{1,6}|(?:AML\.)?T\d{4}(?:\.\d{3})?|[GSC]\d{4})(?![\p{L}\p{N}])/giu;

/** A product of two characters is found by another token of it, or not at all. */
const isSearchable = (token: string): boolean => !isGeneric(token) && isDistinctive([token]);

export function termsOfAsset(matcher: AssetMatcher, texts: AssetTexts): TermsOfAsset {
  const whole = [texts.name, texts.description, texts.reference].join(' ');
  const identifiers = Array.from(whole.matchAll(identifierForm), ([found]) => found.toUpperCase());
  const tokens = Object.values(matcher.texts).flatMap((text) => text.tokens.map(({ folded }) => folded));
  return {
    name: matcher.name,
    singles: matcher.singles.slice(0, most.singles),
    products: [...new Set(tokens.filter(isSearchable))].slice(0, most.products),
    identifiers: [...new Set(identifiers)].slice(0, most.identifiers),
  };
}

/** What the assets that a record may concern contain. */
export interface TermsOfRecord {
  /** Products and vendors, and the identifier: in any text of the asset. */
  affected: string[][];
  /** Tokens of the record's name: in the asset's name. */
  names: string[];
  /** Tokens of the record's name and description: in the asset's name. */
  tokens: string[];
}

const termsFrom = (affected: readonly AffectedTerm[], kind: AffectedTerm['kind']): string[][] =>
  affected.filter((one) => one.kind === kind).map(({ term }) => term);

export function termsOfRecord(matcher: RecordMatcher, texts: RecordTexts): TermsOfRecord {
  const { identifier, affected } = matcher;
  const names = [...new Set(termOf(texts.name).filter(isSearchable))];
  const tokens = [...names, ...termOf(texts.description).filter(isSearchable)];
  return {
    affected: [
      ...(identifier.length > 0 ? [identifier] : []),
      ...termsFrom(affected, 'product'),
      ...termsFrom(affected, 'vendor'),
    ].slice(0, most.affected),
    names: names.slice(0, most.singles),
    tokens: [...new Set(tokens)].slice(0, most.tokens),
  };
}
