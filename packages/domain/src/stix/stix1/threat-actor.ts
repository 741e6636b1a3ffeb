import { compact, distinct, distinctTerms, joined } from '../compact.ts';
import { constructHead, constructKey, type ConstructContext } from './construct-head.ts';
import { referencesIn, termsIn } from './construct-marking.ts';
import { childrenOf, descriptionIn, nameIn, namesIn, textsIn, type XmlElement } from './construct.ts';
import { mapped, type MappedObject, type ThreatData } from '../record.ts';
import { threatTypeId } from '../threat-type.ts';

/** Parts of a party's names in OASIS CIQ; the NameElements of countries are not names (mapping section 5). */
const nameParts = [
  { local: 'PersonName', parts: ['NameElement'] },
  { local: 'OrganisationName', parts: ['NameElement', 'SubDivisionName'] },
] as const;

/** The names of a party: its lines, and each name of a person or organization from its parts. */
function partyNames(party: XmlElement): string[] {
  const names = nameParts.flatMap(({ local, parts }) =>
    childrenOf(party, local).flatMap((name) => [
      parts.flatMap((part) => namesIn(name, part)).join(' '),
      ...namesIn(name, 'NameLine'),
    ]),
  );
  return [...namesIn(party, 'NameLine'), ...names.filter((name) => name !== '')];
}

/** The names of the actor's own identity; related identities are ignored. */
function identityNames(actor: XmlElement): string[] {
  const identities = childrenOf(actor, 'Identity');
  const parties = identities.flatMap((identity) => childrenOf(identity, 'Specification', 'PartyName'));
  return distinct([
    ...identities.flatMap((identity) => namesIn(identity, 'Name')),
    ...parties.flatMap(partyNames),
  ]);
}

const vocabulary = (construct: XmlElement, local: string): string[] => [
  ...termsIn(construct, local, 'Value'),
  ...textsIn(construct, local, 'Description'),
];

function sharedData(construct: XmlElement, context: ConstructContext): ThreatData {
  return compact<ThreatData>({
    description: descriptionIn(construct),
    intent: joined(vocabulary(construct, 'Intended_Effect'), '; '),
    confidence: termsIn(construct, 'Confidence', 'Value')[0],
    tlp: context.tlp,
    references: referencesIn(construct, 'Information_Source'),
    sourceIds: construct.id === undefined ? [] : [construct.id],
  });
}

/** Maps a Threat_Actor, named by its Title or its identity's name; many VCDB actors have neither. */
export function mapThreatActor(actor: XmlElement, context: ConstructContext): MappedObject {
  const names = identityNames(actor);
  const title = nameIn(actor, 'Title') ?? names[0];
  if (title === undefined) context.warn('no-name');
  const kinds = distinctTerms(termsIn(actor, 'Type', 'Value'));
  const capability = [
    ...termsIn(actor, 'Sophistication', 'Value'),
    ...termsIn(actor, 'Planning_And_Operational_Support', 'Value'),
  ];
  const data = compact<ThreatData>({
    ...sharedData(actor, context),
    aliases: names.filter((name) => name !== title),
    motivation: joined(distinctTerms(termsIn(actor, 'Motivation', 'Value'))),
    capability: joined(distinctTerms(capability)),
    threatTypeId: threatTypeId({ type: 'threat-actor', kinds }),
    labels: kinds,
  });
  const head = constructHead(actor, context);
  const key = constructKey(actor, 'threat-actor', context);
  const name = title ?? 'Unnamed threat actor';
  return mapped([{ ...head, kind: 'threat', type: 'threat-actor', key, name, data }]);
}

/** Maps a Campaign, named by its Title or the first of its Names. */
export function mapCampaign(campaign: XmlElement, context: ConstructContext): MappedObject {
  const names = distinct(namesIn(campaign, 'Names', 'Name'));
  const title = nameIn(campaign, 'Title') ?? names[0];
  if (title === undefined) context.warn('no-name');
  const aliases = names.filter((name) => name !== title);
  const data = compact<ThreatData>({ ...sharedData(campaign, context), aliases });
  const head = constructHead(campaign, context);
  const key = constructKey(campaign, 'campaign', context);
  return mapped([
    { ...head, kind: 'threat', type: 'campaign', key, name: title ?? 'Unnamed campaign', data },
  ]);
}
