import { formatCount } from '../count.ts';
import type { TlpOfMarking } from './tlp.ts';
import type { Warn } from './warning.ts';

/** `revoked` and `deprecated` records never become active (mapping section 2). */
export type RecordState = 'active' | 'revoked' | 'deprecated';

export interface CvssClaim {
  /** As stated by the property or the vector's prefix; null when not stated. */
  version: string | null;
  vector: string | null;
  /** 0-10 as stated, unchecked against the vector. */
  score: number | null;
  /** Property or element that contains the claim. */
  source: string;
  /** NVD's 'Primary' or 'Secondary'. */
  type: string | null;
}

export interface Reference {
  sourceName?: string;
  url?: string;
  externalId?: string;
  description?: string;
}

export interface ExternalId {
  source: string;
  id: string;
}

/** What a report asserts about a vulnerability; a field without a value is absent. */
export interface VulnerabilityData {
  cveId?: string;
  /** Text of a CVE id field that is not a CVE id ("Unknown vuln"). */
  cveIdText?: string;
  /** 'CWE-79', distinct, in the report's order. */
  cwe?: string[];
  description?: string;
  cvss?: CvssClaim[];
  cvssScore?: number;
  cvssVector?: string;
  cvssVersion?: string;
  cvssSource?: string;
  references?: Reference[];
  externalIds?: ExternalId[];
  /** Times are in the time zone that the report uses: their first ten characters are the stated day. */
  publishedAt?: string;
  modifiedAt?: string;
  discoveredAt?: string;
  affectedProducts?: string[];
  statusText?: string;
  tlp?: string;
  sourceIds?: string[];
}

/** What a report asserts about a threat; a field without a value is absent. */
export interface ThreatData {
  /** Catalogue id to show: T1566, G0016, CAPEC-98, AML.T0051. */
  threatId?: string;
  externalIds?: ExternalId[];
  description?: string;
  aliases?: string[];
  motivation?: string;
  capability?: string;
  objective?: string;
  intent?: string;
  likelihoodText?: string;
  /** 1-5; CAPEC's three levels are 2, 3 and 4. */
  likelihood?: number;
  impactText?: string;
  /** 1-5, CAPEC's Very Low to Very High. */
  impact?: number;
  /** 0-100; set only when CAPEC states both likelihood and severity. */
  riskLevel?: number;
  riskLevelSource?: 'CAPEC';
  /** 1 Malware, 2 Phishing, 3 DDoS, 4 Insider Threat, 5 Data Breach, 6 Social Engineering. */
  threatTypeId?: number;
  platforms?: string[];
  tactics?: string[];
  firstSeen?: string;
  lastSeen?: string;
  /** 0-100 confidence (STIX 2.1 section 3.2), or the term of the 1.x vocabulary. */
  confidence?: number | string;
  tlp?: string;
  references?: Reference[];
  labels?: string[];
  sourceIds?: string[];
}

interface RecordHead {
  /** Identity within an organization (mapping sections 3 and 5). */
  key: string;
  /** SDO type, or the 1.x construct ('ttp', 'threat-actor', ...). */
  type: string;
  stixId: string | null;
  /** ISO 8601 UTC; null when absent or outside PostgreSQL's years. */
  modified: string | null;
  state: RecordState;
  name: string;
}

export type MappedRecord = RecordHead &
  ({ kind: 'vulnerability'; data: VulnerabilityData } | { kind: 'threat'; data: ThreatData });

/** Fields that all records of one 2.x object share. */
export type ObjectHead = Pick<RecordHead, 'type' | 'modified' | 'state'> & { stixId: string };

/** Input of the mapping of a 2.x object, in addition to the object. */
export interface ObjectContext {
  readonly tlpOfMarking: TlpOfMarking;
  readonly warn: Warn;
}

/** A relation from a threat to a vulnerability. */
export interface MappedRelation {
  type: string;
  sourceId: string;
  targetId: string;
  /** Of a 2.x relationship; 1.x has none. */
  version?: Pick<RecordHead, 'modified' | 'state'>;
}

/** A version of a relationship that relates no records: it only replaces the others. */
export const noRelation = { type: '', sourceId: '', targetId: '' } as const satisfies MappedRelation;

export interface MappedObject {
  outcome: 'mapped' | 'unmapped' | 'failed';
  /** Why no record was made; null when mapped. */
  reason: string | null;
  records: MappedRecord[];
  relations: MappedRelation[];
}

export const unmapped = (reason: string): MappedObject => ({
  outcome: 'unmapped',
  reason,
  records: [],
  relations: [],
});

export const failed = (reason: string): MappedObject => ({
  outcome: 'failed',
  reason,
  records: [],
  relations: [],
});

/** Records of one object: more of them share its texts, each with a copy. */
export const mostRecords = 1000;

/** Relations of one 1.x construct, which relates each of its parts to each of its targets. */
export const mostRelations = 10_000;

/** An object that is not read because it has more of something than the reader takes: 'vulnerabilities', 'CVEs'. */
export const tooMany = (found: number, things: string, most: number): MappedObject =>
  failed(`The object has ${formatCount(found)} ${things}; at most ${formatCount(most)} are read`);

export const mapped = (records: MappedRecord[], relations: MappedRelation[] = []): MappedObject => ({
  outcome: 'mapped',
  reason: null,
  records,
  relations,
});
