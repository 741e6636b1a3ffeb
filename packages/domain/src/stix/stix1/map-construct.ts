import type { ConstructContext } from './construct-head.ts';
import type { XmlElement } from './construct.ts';
import type { ConstructKind } from './definition.ts';
import { mapExploitTarget } from './exploit-target.ts';
import { unmapped, type MappedObject } from '../record.ts';
import { mapCampaign, mapThreatActor } from './threat-actor.ts';
import { mapTtp } from './ttp.ts';
import { unmappedReason } from '../unmapped-reason.ts';

type Mapper = (construct: XmlElement, context: ConstructContext) => MappedObject;

const mappers: Partial<Record<ConstructKind, Mapper>> = {
  ExploitTarget: mapExploitTarget,
  TTP: mapTtp,
  ThreatActor: mapThreatActor,
  Campaign: mapCampaign,
};

/** Whether constructs of this kind can yield records, so that the reader must keep their content. */
export const isMappedKind = (kind: ConstructKind): boolean => kind in mappers;

/** Maps one construct definition of STIX 1.x; never throws. Without a record it is `unmapped` with its reason. */
export function mapConstruct(
  kind: ConstructKind,
  construct: XmlElement,
  context: ConstructContext,
): MappedObject {
  return mappers[kind]?.(construct, context) ?? unmapped(unmappedReason(kind));
}

/** STIX 1.2, PackageIntentVocab-1.0. */
const packageIntents: ReadonlySet<string> = new Set([
  'Collective Threat Intelligence',
  'Threat Report',
  'Indicators',
  'Indicators - Phishing',
  'Indicators - Watchlist',
  'Indicators - Malware Artifacts',
  'Indicators - Network Activity',
  'Indicators - Endpoint Characteristics',
  'Campaign Characterization',
  'Threat Actor Characterization',
  'Exploit Characterization',
  'Attack Pattern Characterization',
  'Malware Characterization',
  'TTP - Infrastructure',
  'TTP - Tools',
  'Courses of Action',
  'Incident',
  'Observables',
  'Observables - Email',
  'Malware Samples',
]);

/** Whether the text is a term of PackageIntentVocab. */
export const isPackageIntent = (text: string): boolean => packageIntents.has(text.trim());
