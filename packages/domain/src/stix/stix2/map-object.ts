import { boundedType, shortened } from '../clean-text.ts';
import { plural } from '../../count.ts';
import { isTrueAt, textAt, type JsonObject } from '../json-value.ts';
import {
  failed,
  mapped,
  noRelation,
  unmapped,
  type MappedObject,
  type MappedRelation,
  type ObjectContext,
  type ObjectHead,
  type RecordState,
} from '../record.ts';
import { mapThreatObject } from './threat-object.ts';
import { readTimestamp, timestampOr } from '../timestamp.ts';
import { unmappedReason } from '../unmapped-reason.ts';
import { mapVulnerabilityObject } from './vulnerability-object.ts';
import type { Warn } from '../warning.ts';

type Mapper = (object: JsonObject, head: ObjectHead, context: ObjectContext) => MappedObject;

const mappers: Readonly<Record<string, Mapper>> = {
  vulnerability: mapVulnerabilityObject,
  'attack-pattern': mapThreatObject,
  malware: mapThreatObject,
  tool: mapThreatObject,
  'threat-actor': mapThreatObject,
  'intrusion-set': mapThreatObject,
  campaign: mapThreatObject,
};

const threatRef = /^(?:attack-pattern|malware|tool|threat-actor|intrusion-set|campaign)--/;
const links: ReadonlySet<string> = new Set(['targets', 'exploits', 'has']);

/** CAPEC has no revoked flag; MITRE's own deprecation is a custom property (mapping section 2). */
function stateOf(object: JsonObject): RecordState {
  if (isTrueAt(object, 'revoked')) return 'revoked';
  const deprecated =
    isTrueAt(object, 'x_mitre_deprecated') ||
    textAt(object, 'x_capec_status')?.trim().toLowerCase() === 'deprecated';
  return deprecated ? 'deprecated' : 'active';
}

/** Whether an object lacks a property or has one that is not a text. */
function absence(object: JsonObject, key: string): string {
  const value = object[key] ?? '';
  return typeof value === 'string' ? `has no ${key}` : `has a property ${key} that is not a text`;
}

const ends = ['relationship_type', 'source_ref', 'target_ref'] as const;
/** Characters of a relationship type that a reason shows. */
const shownType = 60;

type Ends = Pick<MappedRelation, 'type' | 'sourceId' | 'targetId'>;
/** Why a relationship is not used, and whether neither its type nor its ends could be used. */
interface Unused {
  reason: string;
  isUnrelated: boolean;
}

/** A relationship from a threat to a vulnerability is a relation if its type is one of `links`. */
function endsOf(object: JsonObject): Ends | Unused {
  const [type, sourceId, targetId] = ends.map((name) => textAt(object, name));
  if (type === undefined || sourceId === undefined || targetId === undefined) {
    const absent = ends.find((name) => textAt(object, name) === undefined) ?? ends[0];
    return { reason: `The relationship ${absence(object, absent)}`, isUnrelated: false };
  }
  if (!threatRef.test(sourceId) || !targetId.startsWith('vulnerability--'))
    return { reason: unmappedReason('relationship'), isUnrelated: !links.has(type) };
  if (links.has(type)) return { type, sourceId, targetId };
  const used = [...links].join(', ');
  const reason = `Relationships of type ${shortened(type, shownType)} are not used, only those of ${used}`;
  return { reason, isUnrelated: false };
}

/**
 * A version that is withdrawn or no longer used replaces the other ones of its id. First versions that are not used replace
 * none, nor do those with both another type and other ends, which are most relationships of a report: they are not stored.
 */
function mapRelationship(object: JsonObject, warn: Warn): MappedObject {
  const related = endsOf(object);
  const state = stateOf(object);
  const version = () => ({ modified: timestampOr(textAt(object, 'modified'), null, warn), state });
  if ('reason' in related) {
    const created = textAt(object, 'created');
    const isFirst = created !== undefined && created === textAt(object, 'modified');
    const replaces = state !== 'active' || !(isFirst || related.isUnrelated);
    return {
      ...unmapped(related.reason),
      relations: replaces ? [{ ...noRelation, version: version() }] : [],
    };
  }
  const relations = [{ ...related, version: version() }];
  return state === 'active'
    ? mapped([], relations)
    : { ...unmapped(`The relationship is ${state}`), relations };
}

/** STIX 2.1 section 3.2: `modified` is required and never earlier than `created`. */
function checkTimes(object: JsonObject, warn: Warn): void {
  const created = textAt(object, 'created');
  const modified = textAt(object, 'modified');
  if (created === undefined || object['type'] === 'marking-definition') return;
  if (modified === undefined) return warn('no-modified');
  if (isBefore(modified, created)) warn('modified-before-created');
}

/** Compares times of the same form as text: parsing them would take a quarter of the time of a whole file. */
function isBefore(time: string, other: string): boolean {
  if (time.length === other.length && time.endsWith('Z') && other.endsWith('Z')) return time < other;
  const [first, second] = [readTimestamp(time), readTimestamp(other)];
  return first !== null && second !== null && Date.parse(first) < Date.parse(second);
}

/** Whether the object has a type and an id of that type, as every STIX 2.x object does. */
export function isStixObject(object: JsonObject): boolean {
  const type = textAt(object, 'type');
  return type !== undefined && textAt(object, 'id')?.startsWith(`${type}--`) === true;
}

/** Why a bundle among the objects of a bundle or envelope is not read: STIX allows a bundle only as the root. */
function nestedBundleReason({ objects }: JsonObject): string {
  const count = plural(Array.isArray(objects) ? objects.length : 0, 'object');
  return `A bundle inside a bundle or envelope is not read. It contains ${count}: upload it as a separate file`;
}

/**
 * Maps one parsed STIX 2.x object; never throws. An unusable object is `failed` with its reason, an object that yields
 * no record is `unmapped` with its reason.
 */
export function mapObject(object: JsonObject, context: ObjectContext): MappedObject {
  const type = textAt(object, 'type');
  if (type === undefined) return failed(`The object ${absence(object, 'type')}`);
  if (type === 'bundle') return failed(nestedBundleReason(object));
  const stixId = textAt(object, 'id');
  if (stixId === undefined) return failed(`The object ${absence(object, 'id')}`);
  if (!stixId.startsWith(`${type}--`))
    return failed(`The id does not start with the object's type "${boundedType(type)}--"`);
  checkTimes(object, context.warn);
  if (type === 'relationship') return mapRelationship(object, context.warn);
  if (!Object.hasOwn(mappers, type)) return unmapped(unmappedReason(type));
  const modified = timestampOr(textAt(object, 'modified'), null, context.warn);
  const head: ObjectHead = { type, stixId, modified, state: stateOf(object) };
  return mappers[type]?.(object, head, context) ?? unmapped(unmappedReason(type));
}
