import { boundedType } from './clean-text.ts';

/** Why objects of a 2.x type or 1.x construct yield no record, as shown to an analyst (mapping section 2). */
const reasons: ReadonlyMap<string, string> = new Map(
  Object.entries({
    indicator: 'Indicators are not extracted',
    'observed-data': 'Observed data is not extracted',
    relationship: 'Only relationships from a threat to a vulnerability are used',
    sighting: 'Sightings are not extracted',
    report: 'A report only groups objects; the objects themselves are read',
    grouping: 'A grouping only groups objects; the objects themselves are read',
    note: 'Notes are not extracted',
    opinion: 'Opinions are not extracted',
    identity: 'Identities are not extracted',
    location: 'Locations are not extracted',
    'marking-definition': 'Markings are read from the objects that they mark',
    'language-content': 'Translations are not extracted',
    'extension-definition': 'Extension definitions describe the format only',
    'course-of-action': 'Courses of action are not extracted',
    infrastructure: 'Infrastructure is not extracted',
    incident: 'Incidents are not extracted',
    'malware-analysis': 'Malware analyses are not extracted',
    'x-mitre-tactic': 'Tactics are read from the techniques that use them',
    'x-mitre-matrix': 'ATT&CK matrices describe the catalogue only',
    'x-mitre-collection': 'ATT&CK collections describe the catalogue only',
    'x-mitre-data-source': 'ATT&CK data sources are not extracted',
    'x-mitre-data-component': 'ATT&CK data components are not extracted',
    'x-mitre-analytic': 'ATT&CK analytics are not extracted',
    'x-mitre-detection-strategy': 'ATT&CK detection strategies are not extracted',
    'x-mitre-asset': 'ATT&CK assets are kinds of devices, not assets of your organization',
    'attack-flow': 'Attack flows are not extracted',
    'attack-action': 'Steps of an attack flow are not extracted',
    'attack-asset': 'Assets of an attack flow are not extracted',
    'attack-condition': 'Conditions of an attack flow are not extracted',
    'attack-operator': 'Operators of an attack flow are not extracted',
    Indicator: 'Indicators are not extracted',
    Observable: 'Observables are not extracted',
    Incident: 'Incidents are not extracted',
    CourseOfAction: 'Courses of action are not extracted',
    Report: 'A report only groups objects; the objects themselves are read',
  }),
);

/** The cyber observables of STIX 2.1, section 6. */
const observables: ReadonlySet<string> = new Set([
  'artifact',
  'autonomous-system',
  'directory',
  'domain-name',
  'email-addr',
  'email-message',
  'file',
  'ipv4-addr',
  'ipv6-addr',
  'mac-addr',
  'mutex',
  'network-traffic',
  'process',
  'software',
  'url',
  'user-account',
  'windows-registry-key',
  'x509-certificate',
]);

/** Why an object of this type yields no record. */
export function unmappedReason(type: string): string {
  if (observables.has(type)) return 'Observables are not extracted';
  return reasons.get(type) ?? `Objects of type ${boundedType(type)} are not extracted`;
}
