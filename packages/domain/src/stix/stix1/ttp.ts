import { compact, distinct, distinctTerms, joined } from '../compact.ts';
import { constructHead, constructKey, type ConstructContext, type ConstructHead } from './construct-head.ts';
import { referencesIn, termsIn } from './construct-marking.ts';
import { childrenOf, descriptionIn, nameIn, namesIn, textsIn, type XmlElement } from './construct.ts';
import { readCapecId } from '../external-id.ts';
import {
  mapped,
  mostRecords,
  mostRelations,
  tooMany,
  unmapped,
  type MappedObject,
  type MappedRecord,
  type MappedRelation,
  type ThreatData,
} from '../record.ts';
import { threatTypeId } from '../threat-type.ts';
import type { Warn } from '../warning.ts';

/** The parts of a TTP that become threats, in numbering order (mapping section 5). */
const parts = [
  { type: 'attack-pattern', suffix: 'ap', path: ['Behavior', 'Attack_Patterns', 'Attack_Pattern'] },
  { type: 'malware', suffix: 'mw', path: ['Behavior', 'Malware', 'Malware_Instance'] },
  { type: 'tool', suffix: 'tool', path: ['Resources', 'Tools', 'Tool'] },
] as const;

type PartType = (typeof parts)[number]['type'];

/** Content of a TTP that yields no threat. */
const otherContent = [
  { path: ['Victim_Targeting'], name: 'victim targeting' },
  { path: ['Resources', 'Infrastructure'], name: 'infrastructure' },
  { path: ['Kill_Chains'], name: 'a kill chain' },
  { path: ['Kill_Chain'], name: 'a kill chain' },
  { path: ['Exploit_Targets'], name: 'exploit targets' },
] as const;

/** The names of the kill-chain phases. Those stated only by id are defined behind the TTPs of a package. */
function tacticsOf(ttp: XmlElement, warn: Warn): string[] {
  const phases = childrenOf(ttp, 'Kill_Chain_Phases', 'Kill_Chain_Phase');
  if (phases.some(({ attributes }) => attributes.has('phase_id') && !attributes.has('name')))
    warn('kill-chain-phase-unnamed');
  return distinct(phases.flatMap(({ attributes }) => attributes.get('name') ?? []));
}

function ttpData(ttp: XmlElement, context: ConstructContext): ThreatData {
  return compact<ThreatData>({
    description: descriptionIn(ttp),
    intent: joined(
      [...termsIn(ttp, 'Intended_Effect', 'Value'), ...textsIn(ttp, 'Intended_Effect', 'Description')],
      '; ',
    ),
    tactics: tacticsOf(ttp, context.warn),
    tlp: context.tlp,
    references: referencesIn(ttp, 'Information_Source'),
    sourceIds: ttp.id === undefined ? [] : [ttp.id],
  });
}

function partData(part: XmlElement, type: PartType, shared: ThreatData): ThreatData {
  const threatId = readCapecId(part.attributes.get('capec_id'));
  return compact<ThreatData>({
    ...shared,
    threatId,
    externalIds: threatId === undefined ? [] : [{ source: 'capec', id: threatId }],
    description: descriptionIn(part) ?? shared.description,
    aliases: distinct(namesIn(part, 'Name')).slice(1),
    threatTypeId: threatTypeId({ type, id: threatId }),
    labels: distinctTerms(textsIn(part, 'Type')),
    references: [...referencesIn(part), ...(shared.references ?? [])],
    sourceIds: part.id === undefined ? shared.sourceIds : [part.id, ...(shared.sourceIds ?? [])],
  });
}

/** The attack patterns, malware and tools of a TTP. Those with an `idref` are references (mapping section 2). */
const partsOf = (ttp: XmlElement) =>
  parts.flatMap(({ type, suffix, path }) => childrenOf(ttp, ...path).map((part) => ({ type, suffix, part })));

type TtpHead = ConstructHead & { key: string };

/** A TTP that has parts. */
interface Owner {
  readonly ttp: XmlElement;
  readonly head: TtpHead;
  readonly found: ReturnType<typeof partsOf>;
}

/** Attack_Pattern/Title, Malware_Instance/Name or Title, Tool/Name, else the TTP's title. */
const partName = (part: XmlElement, ttp: XmlElement): string | undefined =>
  nameIn(part, 'Name') ?? nameIn(part, 'Title') ?? nameIn(ttp, 'Title');

function partRecords({ ttp, head, found }: Owner, context: ConstructContext): MappedRecord[] {
  const defined = found.filter(({ part }) => part.idref === undefined);
  if (defined.length === 0) return [];
  const shared = ttpData(ttp, context);
  return defined.map(({ type, suffix, part }, index) => {
    const name = partName(part, ttp);
    if (name === undefined) context.warn('no-name');
    return {
      stixId: part.id ?? head.stixId,
      modified: head.modified,
      state: head.state,
      kind: 'threat',
      type,
      key: part.id === undefined ? `${head.key}#${suffix}[${index}]` : `stix1:${part.id}`,
      name: name ?? `Unnamed ${type.replace('-', ' ')}`,
      data: partData(part, type, shared),
    };
  });
}

/** Ids of the parts of a TTP and of its exploit targets. What has no id cannot be related, which is a warning. */
function relatedIds({ ttp, found }: Owner, warn: Warn): { sources: string[]; targets: string[] } {
  const items = childrenOf(ttp, 'Exploit_Targets', 'Exploit_Target');
  // Some producers omit the relationship around the target.
  const targets = [...items, ...items.flatMap((item) => childrenOf(item, 'Exploit_Target'))];
  const targetIds = distinct(targets.flatMap(({ id, idref }) => id ?? idref ?? []));
  const sources = found.map(({ part }) => part.idref ?? part.id ?? ttp.id);
  const isVulnerable = (target: XmlElement): boolean => childrenOf(target, 'Vulnerability').length > 0;
  const lacksTarget = targets.some(
    (target) => (target.id ?? target.idref) === undefined && isVulnerable(target),
  );
  if (lacksTarget || (targetIds.length > 0 && sources.includes(undefined))) warn('relation-without-id');
  return { sources: distinct(sources.filter((id) => id !== undefined)), targets: targetIds };
}

/** Each part of a TTP targets each of its exploit targets. */
const relationsOf = ({ sources, targets }: ReturnType<typeof relatedIds>): MappedRelation[] =>
  sources.flatMap((sourceId) => targets.map((targetId) => ({ type: 'targets', sourceId, targetId })));

/**
 * A TTP yields one record per attack pattern, malware instance and tool. With a title and without any other content
 * (victims, infrastructure, kill chain, exploit targets) the TTP itself is the threat.
 */
export function mapTtp(ttp: XmlElement, context: ConstructContext): MappedObject {
  const head: TtpHead = { ...constructHead(ttp, context), key: constructKey(ttp, 'ttp', context) };
  const found = partsOf(ttp);
  if (found.length > mostRecords)
    return tooMany(found.length, 'attack patterns, malware and tools', mostRecords);
  if (found.length > 0) {
    const owner: Owner = { ttp, head, found };
    const related = relatedIds(owner, context.warn);
    const pairs = related.sources.length * related.targets.length;
    if (pairs > mostRelations) return tooMany(pairs, 'relations to exploit targets', mostRelations);
    const records = partRecords(owner, context);
    const result =
      records.length > 0
        ? mapped(records)
        : unmapped('The TTP only references attack patterns, malware or tools');
    return { ...result, relations: relationsOf(related) };
  }
  const other = otherContent.find(({ path }) => childrenOf(ttp, ...path).length > 0);
  if (other !== undefined)
    return unmapped(`The TTP contains ${other.name}, but no attack pattern, malware or tool`);
  const name = nameIn(ttp, 'Title');
  if (name === undefined)
    return unmapped('The TTP contains neither a title nor an attack pattern, malware or tool');
  const record: MappedRecord = { ...head, kind: 'threat', type: 'ttp', name, data: ttpData(ttp, context) };
  return mapped([record]);
}
