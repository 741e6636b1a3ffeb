import { capecRisk } from './capec-risk.ts';
import { recordName } from '../clean-text.ts';
import { compact, distinct, distinctTerms, joined } from '../compact.ts';
import { externalIdsOf, referencesOf, threatIdOf } from '../external-id.ts';
import { isObject, isStated, numberAt, objectsAt, textAt, textsAt, type JsonObject } from '../json-value.ts';
import { openCtiMitreProperties } from '../opencti.ts';
import {
  mapped,
  type MappedObject,
  type ObjectContext,
  type ObjectHead,
  type ThreatData,
} from '../record.ts';
import { threatTypeId } from '../threat-type.ts';
import { writtenTimestamp } from '../timestamp.ts';
import { tlpOf } from '../tlp.ts';
import type { Warn } from '../warning.ts';

/** Types with a motivation; on other types the property is ignored (mapping section 5). */
const motivated: ReadonlySet<string> = new Set(['threat-actor', 'intrusion-set']);
const motivationKeys = ['primary_motivation', 'secondary_motivations', 'personal_motivations'] as const;
const capabilityKeys: Readonly<Record<string, readonly string[]>> = {
  'threat-actor': ['sophistication', 'resource_level'],
  'intrusion-set': ['resource_level'],
  malware: ['capabilities'],
};
/** In 2.0 these are in `labels`. */
const kindKeys = ['malware_types', 'tool_types', 'threat_actor_types'] as const;
/** Excludes MISP's machine tags. */
const isLabel = (label: string): boolean => !/^misp(?:-galaxy)?:/.test(label);

const textsOf = (object: JsonObject, keys: readonly string[]): string[] =>
  distinct(keys.flatMap((key) => textsAt(object, key)));

const termsOf = (object: JsonObject, keys: readonly string[]): string[] =>
  distinctTerms(textsOf(object, keys));

/** The name, or the first alias that is one where it has none. */
const titleOf = (object: JsonObject): string | undefined =>
  recordName(textAt(object, 'name')) ??
  textsAt(object, 'aliases')
    .map(recordName)
    .find((alias) => alias !== undefined);

function aliasesOf(object: JsonObject): string[] {
  const title = titleOf(object);
  const aliases = textsOf(object, ['aliases', 'x_mitre_aliases']).flatMap((alias) => recordName(alias) ?? []);
  return distinct(aliases).filter((alias) => alias !== title);
}

function requiredSkill(object: JsonObject): string | undefined {
  const skills = object['x_capec_skills_required'];
  if (!isObject(skills)) return undefined;
  const levels = Object.keys(skills).map((level) => joined([level, ...textsAt(skills, level)], ' - '));
  return levels.length === 0 ? undefined : `Required skill: ${levels.join('; ')}`;
}

function tacticsOf(object: JsonObject): string[] {
  const phases = objectsAt(object, 'kill_chain_phases');
  const mitre = phases.filter((phase) =>
    textAt(phase, 'kill_chain_name')?.toLowerCase().startsWith('mitre-'),
  );
  return distinct(mitre.flatMap((phase) => textsAt(phase, 'phase_name')));
}

const platformsOf = (object: JsonObject): string[] =>
  distinct([
    ...textsAt(object, 'x_mitre_platforms'),
    ...textsAt(openCtiMitreProperties(object), 'platforms'),
  ]);

function confidenceOf(object: JsonObject, warn: Warn): number | undefined {
  const confidence = numberAt(object, 'confidence');
  if (confidence !== undefined && confidence >= 0 && confidence <= 100) return confidence;
  if (isStated(object['confidence'])) warn('confidence-unusable');
  return undefined;
}

function threatData(object: JsonObject, type: string, { tlpOfMarking, warn }: ObjectContext): ThreatData {
  const threatId = threatIdOf(object);
  const kinds = termsOf(object, ['labels', ...kindKeys]).filter(isLabel);
  const tactics = tacticsOf(object);
  const capability = [joined(termsOf(object, capabilityKeys[type] ?? [])), requiredSkill(object)];
  return compact<ThreatData>({
    threatId,
    externalIds: externalIdsOf(object),
    description: textAt(object, 'description'),
    aliases: aliasesOf(object),
    motivation: motivated.has(type) ? joined(termsOf(object, motivationKeys)) : undefined,
    capability: joined(capability.filter((text) => text !== undefined)),
    objective: joined(textsOf(object, ['goals', 'objective']), '; '),
    ...capecRisk(object),
    threatTypeId: threatTypeId({
      type,
      id: threatId,
      kinds,
      tactics,
      domains: textsAt(object, 'x_capec_domains'),
    }),
    platforms: platformsOf(object),
    tactics,
    firstSeen: writtenTimestamp(textAt(object, 'first_seen'), warn),
    lastSeen: writtenTimestamp(textAt(object, 'last_seen'), warn),
    confidence: confidenceOf(object, warn),
    tlp: tlpOf(object, tlpOfMarking),
    references: referencesOf(object),
    labels: kinds,
    sourceIds: textsAt(object, 'id'),
  });
}

/** Maps an object of the six threat types of 2.x to one record, keyed by its STIX id (mapping section 5). */
export function mapThreatObject(object: JsonObject, head: ObjectHead, context: ObjectContext): MappedObject {
  const title = titleOf(object);
  // STIX 2.1 section 4.11: the name of malware is optional.
  if (title === undefined && head.type !== 'malware') context.warn('no-name');
  const name = title ?? `Unnamed ${head.type.replace('-', ' ')}`;
  const data = threatData(object, head.type, context);
  return mapped([{ ...head, kind: 'threat', key: `stix:${head.stixId}`, name, data }]);
}
