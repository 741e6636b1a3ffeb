import { isGeneric, isVersion } from './generic-terms.ts';
import { isDistinctive, lengthOf, shortestSingle, termOf } from './tokens.ts';

/** A term that a report gives for an affected product. */
export interface AffectedTerm {
  kind: 'product' | 'vendor';
  term: string[];
  /** The part of the report's text that it comes from, as written. */
  source: string;
}

/** Records name up to thousands of configurations; their different products are few. */
const mostTerms = 60;

/** A percent-encoded part of a CPE 2.2 name; a text that is not valid is kept. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Up to the product of a CPE 2.3 or 2.2 name. A backslash escapes the next character. */
const cpeForm =
  /^\s*(?<source>cpe:(?:2\.3:|\/)[aoh]:(?<vendor>(?:\\.|[^\\:])*)(?::(?<product>(?:\\.|[^\\:])*))?)/iu;

/** Also of a CPE name that is not valid, which is not a name to read. */
const isCpe = /^\s*cpe:/iu;

const partOf = (part: string | undefined): string[] =>
  part === undefined || part === '*' || part === '-' ? [] : termOf(decoded(part.replaceAll(/\\(.)/gu, '$1')));

const withoutVersion = (term: readonly string[]): string[] =>
  term.slice(0, term.findLastIndex((token) => !isVersion(token)) + 1);

/** Without generic tokens at its end: 'exchange server' is 'exchange'. */
const trimmed = (term: readonly string[]): string[] =>
  term.slice(0, term.findLastIndex((token) => !isGeneric(token)) + 1);

/** A product without its version, and without the generic tokens at its end. */
function variantsOf(product: readonly string[]): string[][] {
  const whole = withoutVersion(product);
  const short = trimmed(whole);
  return [
    ...(isDistinctive(whole) ? [whole] : []),
    ...(short.length < whole.length && isDistinctive(short, shortestSingle) ? [short] : []),
  ];
}

function termsOf(text: string): AffectedTerm[] {
  const cpe = cpeForm.exec(text)?.groups;
  // STIX 1 writes "vendor product version".
  const named = cpe || isCpe.test(text) ? [] : withoutVersion(termOf(text));
  const vendor = cpe ? partOf(cpe['vendor']) : named.slice(0, named.length > 1 ? 1 : 0);
  const products = cpe ? [partOf(cpe['product'])] : [named, named.slice(1)];
  const source = cpe?.['source'] ?? text.trim();
  return [
    ...products.flatMap(variantsOf).map((term) => ({ kind: 'product' as const, term, source })),
    ...(isDistinctive(vendor) ? [{ kind: 'vendor' as const, term: vendor, source }] : []),
  ];
}

/**
 * Products and vendors of affected products, distinct: products first, longer terms first.
 * @param affected CPE names, or names as reports write them
 */
export function affectedTerms(affected: readonly string[]): AffectedTerm[] {
  const all = affected.flatMap(termsOf);
  const distinct = new Map(all.toReversed().map((one) => [`${one.kind} ${one.term.join(' ')}`, one]));
  return [...distinct.values()]
    .toSorted((one, other) => one.kind.localeCompare(other.kind) || lengthOf(other.term) - lengthOf(one.term))
    .slice(0, mostTerms);
}
