import { parseCvssVector, type CvssVector } from '../cvss/vector.ts';
import { isObject, isStated, numberAt, objectsAt, textAt, textsAt, type JsonObject } from './json-value.ts';
import { openCtiProperties } from './opencti.ts';
import type { CvssClaim } from './record.ts';
import type { Warn } from './warning.ts';

/**
 * cve2stix: `x_cvss.{v2_0,v3_0,...}`, each an object or a list, in snake or camel case (mapping section 4). Others write
 * the version with a point.
 */
const versionKeys = {
  v2_0: '2.0',
  'v2.0': '2.0',
  v3_0: '3.0',
  'v3.0': '3.0',
  v3_1: '3.1',
  'v3.1': '3.1',
  v4_0: '4.0',
  'v4.0': '4.0',
} as const;

/** Newest version first; the properties without a version in their names are of 3.x. */
const openCti = [
  { name: 'cvss_v4', version: '4.0' },
  { name: 'cvss', version: null },
  { name: 'cvss_v2', version: '2.0' },
] as const;

/** misp-stix, and its predecessor, which wrote the type of an attribute into the name. An attribute that repeats is a list. */
const mispKeys = [
  { score: 'x_misp_cvss_score', vector: 'x_misp_cvss_string' },
  { score: 'x_misp_float_cvss_score', vector: 'x_misp_text_cvss_string' },
] as const;

const cvssLabel = /^cvssMetricV(\d)(\d?)-vectorString:\s*(\S+)$/;

function claimOf(claim: Partial<CvssClaim> & { source: string }): CvssClaim {
  return { version: null, vector: null, score: null, type: null, ...claim };
}

/** The version in a vector's prefix; a v2 vector has no prefix. */
const prefixVersion = (vector: string | undefined): string | null =>
  /^CVSS:(\d\.\d)\//.exec(vector ?? '')?.[1] ?? null;

const isScore = (number: number | undefined): number is number =>
  number !== undefined && number >= 0 && number <= 10;

/** The first value that is a score; other values before it add warnings. */
function statedScore(object: JsonObject, keys: readonly string[], warn: Warn): number | null {
  for (const key of keys) {
    const score = numberAt(object, key);
    if (isScore(score)) return score;
    if (isStated(object[key])) warn('cvss-score-unusable');
  }
  return null;
}

const hasValue = (claim: CvssClaim): boolean => claim.vector !== null || claim.score !== null;

function extensionClaim(entry: JsonObject, version: string | null, warn: Warn): CvssClaim {
  const vector = textAt(entry, 'vector_string') ?? textAt(entry, 'vectorString');
  return claimOf({
    version: version ?? prefixVersion(vector),
    vector: vector ?? null,
    score: statedScore(entry, ['base_score', 'baseScore'], warn),
    source: 'x_cvss',
    type: textAt(entry, 'type') ?? null,
  });
}

/** The claims of an object by versions, or of a list without them. */
function extensionClaims(object: JsonObject, warn: Warn): CvssClaim[] {
  const extension = object['x_cvss'];
  if (Array.isArray(extension))
    return extension.filter(isObject).map((entry) => extensionClaim(entry, null, warn));
  if (!isObject(extension)) return [];
  return Object.entries(versionKeys).flatMap(([key, version]) =>
    objectsAt(extension, key).map((entry) => extensionClaim(entry, version, warn)),
  );
}

/** OpenCTI writes its properties at the object, as its file export does, or in its extension; older versions have a score alone. */
function openCtiClaims(object: JsonObject, warn: Warn): CvssClaim[] {
  const extension = openCtiProperties(object);
  const versioned = openCti.flatMap(({ name, version }) =>
    [
      { source: `x_opencti_${name}`, owner: object, vectorKey: `x_opencti_${name}_vector_string` },
      { source: name, owner: extension, vectorKey: `${name}_vector` },
    ].map(({ source, owner, vectorKey }) => {
      const vector = textAt(owner, vectorKey);
      const score = statedScore(owner, [`${source}_base_score`], warn);
      return claimOf({ version: version ?? prefixVersion(vector), vector: vector ?? null, score, source });
    }),
  );
  const bare = [
    { source: 'x_opencti_base_score', owner: object },
    { source: 'base_score', owner: extension },
  ].map(({ source, owner }) => claimOf({ score: statedScore(owner, [source], warn), source }));
  return [...versioned, ...bare];
}

function labelClaims(object: JsonObject): CvssClaim[] {
  return textsAt(object, 'labels').flatMap((label) => {
    const match = cvssLabel.exec(label);
    if (match === null) return [];
    return [
      claimOf({ version: `${match[1]}.${match[2] || '0'}`, vector: match[3] ?? null, source: 'labels' }),
    ];
  });
}

function mispClaims(object: JsonObject, warn: Warn): CvssClaim[] {
  return mispKeys.flatMap((keys) => {
    const stated = object[keys.score];
    const scores: readonly unknown[] = Array.isArray(stated) ? stated : [stated];
    const vectors = textsAt(object, keys.vector);
    return Array.from({ length: Math.max(scores.length, vectors.length) }, (_, at) => {
      const vector = vectors[at];
      const score = statedScore({ score: scores[at] }, ['score'], warn);
      const source = vector === undefined ? keys.score : keys.vector;
      return claimOf({ version: prefixVersion(vector), vector: vector ?? null, score, source });
    });
  });
}

/** Every CVSS claim of a 2.x vulnerability, in the order of mapping section 4. Nothing is computed. */
export function cvssClaims(object: JsonObject, warn: Warn): CvssClaim[] {
  return [
    ...extensionClaims(object, warn),
    ...openCtiClaims(object, warn),
    ...mispClaims(object, warn),
    ...labelClaims(object),
  ].filter(hasValue);
}

/** The texts of a 1.x `et:CVSS_Score`; MISP writes only Overall_Score. */
interface ScoreTexts {
  base: string | undefined;
  overall: string | undefined;
  vector: string | undefined;
}

/** The claim of a 1.x `et:CVSS_Score`: the base score, or the overall one where the base score is not a score. */
export function cvssScoreClaim({ base, overall, vector }: ScoreTexts, warn: Warn): CvssClaim[] {
  const stated = statedScore({ base, overall }, ['base', 'overall'], warn);
  const claim = claimOf({
    version: prefixVersion(vector),
    vector: vector ?? null,
    score: stated,
    source: 'et:CVSS_Score',
  });
  return hasValue(claim) ? [claim] : [];
}

export interface ChosenCvss {
  cvssScore: number;
  cvssVector?: string;
  cvssVersion?: string;
  cvssSource: string;
}

/** v4.0 before v3.1 before v3.0 before v2, Primary before Secondary (mapping section 4). */
const preference = (version: string | null, { type }: CvssClaim): number =>
  Number(version) * 100 + (type?.toLowerCase() === 'primary' ? 1 : 0);

/**
 * Chooses the claim to use. A valid vector overrides a bare score, and its score is always computed (contract, CVSS).
 * A bare score has neither version nor vector (mapping section 4).
 */
export function chooseCvss(
  claims: readonly CvssClaim[],
  baseScore: (vector: CvssVector) => number,
  warn: Warn,
): ChosenCvss | undefined {
  let best: { claim: CvssClaim; vector: CvssVector } | undefined;
  for (const claim of claims) {
    if (claim.vector === null) continue;
    const vector = parseCvssVector(claim.vector);
    if (!vector.ok) {
      warn('cvss-vector-invalid');
      continue;
    }
    if (
      best === undefined ||
      preference(vector.version, claim) > preference(best.vector.version, best.claim)
    ) {
      best = { claim, vector };
    }
  }
  if (best === undefined) return bareScore(claims);
  const score = baseScore(best.vector);
  if (best.claim.score !== null && best.claim.score !== score) warn('cvss-score-differs');
  return {
    cvssScore: score,
    cvssVector: best.vector.vector,
    cvssVersion: best.vector.version,
    cvssSource: best.claim.source,
  };
}

/** A score has one decimal (CVSS 3.1 section 1.2); half a tenth is rounded up, also where binary numbers are just below it. */
const toTenths = (score: number): number => Math.round(Number((score * 10).toFixed(6))) / 10;

/** The preferred score of the first source that has one. */
function bareScore(claims: readonly CvssClaim[]): ChosenCvss | undefined {
  let best: (CvssClaim & { score: number }) | undefined;
  for (const claim of claims) {
    const { score, version, source } = claim;
    if (score === null) continue;
    const isBetter =
      best === undefined ||
      (source === best.source && preference(version, claim) > preference(best.version, best));
    if (isBetter) best = { ...claim, score };
  }
  if (best === undefined) return undefined;
  return { cvssScore: toTenths(best.score), cvssSource: best.source };
}
