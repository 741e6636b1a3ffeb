import type { XmlElement } from './construct.ts';
import { timestampOr } from '../timestamp.ts';
import type { Warn } from '../warning.ts';

export type AnonymousLabel = 'vuln' | 'ttp' | 'threat-actor' | 'campaign';

/** Input of the mapping of a 1.x construct, in addition to the construct. */
export interface ConstructContext {
  /** SHA-256 of the file, hex: part of the keys of constructs without an id (mapping section 3). */
  readonly fileHash: string;
  /** Next number, from 0, for a construct without an id; one sequence per label. */
  readonly nextNumber: (label: AnonymousLabel) => number;
  /** The strictest TLP label of the construct and of the constructs, report and packages around it. */
  readonly tlp: string | undefined;
  readonly warn: Warn;
}

/** Fields that all records of one construct share. */
export interface ConstructHead {
  stixId: string | null;
  modified: string | null;
  state: 'active';
}

export function constructHead(construct: XmlElement, { warn }: ConstructContext): ConstructHead {
  const modified = timestampOr(construct.attributes.get('timestamp'), null, warn);
  return { stixId: construct.id ?? null, modified, state: 'active' };
}

/** Identity key of a construct; without an id it consists of the file's hash and a sequence number. */
export function constructKey(
  construct: XmlElement,
  label: AnonymousLabel,
  context: ConstructContext,
): string {
  return `stix1:${construct.id ?? anonymousKey(label, context)}`;
}

export const anonymousKey = (label: AnonymousLabel, { fileHash, nextNumber }: ConstructContext): string =>
  `${fileHash}#${label}[${nextNumber(label)}]`;
