import { type AffectedTerm, affectedTerms } from './affected-products.ts';
import { isGeneric } from './generic-terms.ts';
import { findTerm, isDistinctive, shortestSingle, termOf, tokenize, type TokenizedText } from './tokens.ts';

/** Why a vulnerability or threat may concern an asset, strongest first. */
export const reasonKinds = ['identifier', 'product', 'name', 'term', 'vendor', 'dependency'] as const;
export type ReasonKind = (typeof reasonKinds)[number];

export interface SuggestionReason {
  kind: ReasonKind;
  /** In plain English. */
  text: string;
  /** The text that matched, as it is written there. */
  quote: string;
}

/** The texts of an asset that suggestions read. */
export interface AssetTexts {
  name: string;
  description: string;
  reference: string;
}

/** The texts of a vulnerability or threat that suggestions read. */
export interface RecordTexts {
  name: string;
  description: string;
  /** CVE, CAPEC or ATT&CK id; empty when it has none. */
  identifier: string;
  affectedProducts: readonly string[];
}

/** Points of a match by where it is; the strongest reason decides, each other one adds `furtherPoints`. */
const points = {
  identifier: { name: 100, description: 95, reference: 95 },
  product: { name: 90, description: 70, reference: 60 },
  name: { name: 85, description: 65 },
  term: { name: 50, description: 20 },
  vendor: { name: 45, description: 35, reference: 30 },
  dependency: 25,
} as const;
const furtherPoints = 2;
const mostFurther = 3;

type AssetField = keyof AssetTexts;
const assetFields = ['name', 'description', 'reference'] as const satisfies readonly AssetField[];
const recordFields = ['name', 'description'] as const;
type RecordField = (typeof recordFields)[number];

/** An asset whose texts are read once for many records. */
export interface AssetMatcher {
  texts: Readonly<Record<AssetField, TokenizedText>>;
  /** Its whole name; empty when that is too short or generic. */
  name: string[];
  /** Tokens of its name that may match on their own. */
  singles: string[];
}

/** A record whose texts are read once for many assets. */
export interface RecordMatcher {
  texts: Readonly<Record<RecordField, TokenizedText>>;
  identifier: string[];
  affected: AffectedTerm[];
}

/** Tokens that may relate two records on their own. */
const distinctiveTokens = (text: string): string[] => [
  ...new Set(termOf(text).filter((token) => !isGeneric(token) && isDistinctive([token], shortestSingle))),
];

export function assetMatcher({ name, description, reference }: AssetTexts): AssetMatcher {
  const whole = termOf(name);
  return {
    texts: { name: tokenize(name), description: tokenize(description), reference: tokenize(reference) },
    name: isDistinctive(whole, shortestSingle) ? whole : [],
    singles: distinctiveTokens(name),
  };
}

export function recordMatcher({
  name,
  description,
  identifier,
  affectedProducts,
}: RecordTexts): RecordMatcher {
  return {
    texts: { name: tokenize(name), description: tokenize(description) },
    identifier: termOf(identifier),
    affected: affectedTerms(affectedProducts),
  };
}

interface Match extends SuggestionReason {
  points: number;
}

const fieldLabels = { name: 'name', description: 'description', reference: 'reference' } as const;

/** The first field that has one of the terms, and the term as that field has it. */
function firstMatch<F extends AssetField, T>(
  texts: Readonly<Record<F, TokenizedText>>,
  fields: readonly F[],
  terms: readonly { term: readonly string[]; of: T }[],
): { field: F; quote: string; of: T } | undefined {
  for (const field of fields) {
    for (const { term, of } of terms) {
      const quote = findTerm(texts[field], term);
      if (quote !== undefined) return { field, quote, of };
    }
  }
  return undefined;
}

function identifierMatch(asset: AssetMatcher, { identifier }: RecordMatcher): Match[] {
  if (identifier.length === 0) return [];
  const found = firstMatch(asset.texts, assetFields, [{ term: identifier, of: undefined }]);
  if (!found) return [];
  const { field, quote } = found;
  const text = `The asset's ${fieldLabels[field]} contains “${quote}”.`;
  return [{ kind: 'identifier', quote, text, points: points.identifier[field] }];
}

function affectedMatch(
  asset: AssetMatcher,
  { affected }: RecordMatcher,
  kind: AffectedTerm['kind'],
): Match[] {
  const terms = affected.filter((one) => one.kind === kind).map((one) => ({ term: one.term, of: one }));
  const found = firstMatch(asset.texts, assetFields, terms);
  if (!found) return [];
  const { field, quote, of } = found;
  const text = `The asset's ${fieldLabels[field]} contains “${quote}”, from the affected product “${of.source}”.`;
  return [{ kind, quote, text, points: points[kind][field] }];
}

function nameMatch(asset: AssetMatcher, record: RecordMatcher): Match[] {
  const found = firstMatch(record.texts, recordFields, [{ term: asset.name, of: undefined }]);
  if (!found) return [];
  const { field, quote } = found;
  const text = `The ${fieldLabels[field]} contains the asset's name, “${quote}”.`;
  return [{ kind: 'name', quote, text, points: points.name[field] }];
}

/** In a description a single term must be written as a name is, with a capital or a digit. */
const isNameForm = /[\p{Lu}\p{Lt}\p{Lo}\p{N}]/u;

function termMatch(asset: AssetMatcher, record: RecordMatcher): Match[] {
  const terms = asset.singles.map((token) => ({ term: [token], of: undefined }));
  const found = firstMatch(record.texts, recordFields, terms);
  if (!found || (found.field === 'description' && !isNameForm.test(found.quote))) return [];
  const { field, quote } = found;
  const text = `The ${fieldLabels[field]} contains “${quote}”, from the asset's name.`;
  return [{ kind: 'term', quote, text, points: points.term[field] }];
}

/** The reason for a record that is related to `other`, an asset that the suggested asset depends on. */
const dependencyMatch = (other: string | undefined): Match[] =>
  other === undefined
    ? []
    : [
        {
          kind: 'dependency',
          quote: other,
          text: `Related to “${other}”, which the asset depends on.`,
          points: points.dependency,
        },
      ];

/**
 * Why a record may concern an asset, strongest first, and its rank: the points of the strongest reason and a little for
 * each further one, 0 without a reason.
 * @param dependency name of an asset that this one depends on and that the record is related to
 */
export function suggestionReasons(
  asset: AssetMatcher,
  record: RecordMatcher,
  dependency?: string,
): { rank: number; reasons: SuggestionReason[] } {
  const products = affectedMatch(asset, record, 'product');
  const names = nameMatch(asset, record);
  const matches = [
    ...identifierMatch(asset, record),
    ...products,
    // A term of the name adds nothing to the whole name.
    ...(names.length > 0 ? names : termMatch(asset, record)),
    ...(products.length > 0 ? [] : affectedMatch(asset, record, 'vendor')),
    ...dependencyMatch(dependency),
  ].toSorted((one, other) => other.points - one.points);
  const further = Math.min(mostFurther, Math.max(0, matches.length - 1)) * furtherPoints;
  return {
    rank: (matches[0]?.points ?? 0) + further,
    reasons: matches.map(({ points: _points, ...reason }) => reason),
  };
}
