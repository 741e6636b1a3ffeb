import type { XmlElement } from './construct.ts';
import { timestampOr } from './timestamp.ts';
import type { Warn } from './warning.ts';

export type AnonymousLabel = 'vuln' | 'ttp' | 'threat-actor' | 'campaign';

/** What the mapping of a 1.x construct depends on besides the construct. */
export interface ConstructContext {
  /** SHA-256 of the file, hex: stands in the keys of constructs without an id (mapping section 3). */
  readonly fileHash: string;
  /** Running number, from 0, of what has no id in the file; one sequence for each label. */
  readonly nextNumber: (label: AnonymousLabel) => number;
  readonly warn: Warn;
}

/** What every record of one construct shares. */
export interface ConstructHead {
  stixId: string | null;
  modified: string | null;
  state: 'active';
}

export function constructHead(construct: XmlElement, { warn }: ConstructContext): ConstructHead {
  const modified = timestampOr(construct.attributes.get('timestamp'), null, warn);
  return { stixId: construct.id ?? null, modified, state: 'active' };
}

/** Identity key of a construct; without an id, the file's hash and a running number name it. */
export function constructKey(
  construct: XmlElement,
  label: AnonymousLabel,
  context: ConstructContext,
): string {
  return `stix1:${construct.id ?? anonymousKey(label, context)}`;
}

export const anonymousKey = (label: AnonymousLabel, { fileHash, nextNumber }: ConstructContext): string =>
  `${fileHash}#${label}[${nextNumber(label)}]`;
