import type { CweKind } from '@riskboard/domain';

/** A relation to another entry; `View` is the number of the view that it belongs to. */
export interface CweRelation {
  ID: string;
  Nature: string;
  View: string;
}

export interface CweConsequence {
  Scope: string[];
  Impact: string[];
  /** Of this outcome; often empty. */
  Likelihood: string;
  Note: string;
}

export interface CweMitigation {
  Phase: string[];
  Strategy: string;
  Description: string;
  Effectiveness: string;
  EffectivenessNotes: string;
}

/** Whether vulnerabilities may be mapped to the entry, and why. */
export interface CweMapping {
  Usage: string;
  Rationale: string;
  Comments: string;
}

/**
 * A weakness, category or view as stored; the names of related ones are added when it is read. Paragraphs of long texts
 * are separated by a line break.
 */
export interface CweData {
  Name: string;
  /** 'Category' and 'View' for entries that are not weaknesses. */
  Abstraction: string;
  Structure: string;
  Status: string;
  Description: string;
  ExtendedDescription: string;
  Likelihood: string;
  /** Both directions: parents and children, members and what the entry is a member of. */
  Weaknesses: CweRelation[];
  Consequences: CweConsequence[];
  Mitigations: CweMitigation[];
  Mapping: CweMapping;
}

export interface CweEntry {
  /** Up to 7 digits. */
  id: number;
  kind: CweKind;
  data: CweData;
}

/** A whole catalogue, before it is stored. */
export interface CatalogueContent {
  /** MITRE's version, as in '4.15'. */
  version: string;
  /** YYYY-MM-DD; null when the file names none. */
  date: string | null;
  notice: string;
  /** By rising number. */
  entries: CweEntry[];
}

/** A file is no catalogue; the message says where and why, for people. */
export class CatalogueFault extends Error {}
