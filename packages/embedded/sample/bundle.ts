import { foundObjects } from './found-objects.ts';
import { relations } from './relations.ts';
import { author, common, green, idOf, type StixObject, timeOf } from './stix-object.ts';

/** Finds an object by its catalogue number or name; `type:name` where two share one. */
function directory(objects: readonly StixObject[]): (key: string) => StixObject {
  const byKey = new Map<string, StixObject>();
  for (const object of objects) {
    const references = (object['external_references'] ?? []) as {
      external_id: string;
      source_name: string;
    }[];
    for (const { external_id, source_name } of references)
      if (source_name !== 'cwe') byKey.set(external_id, object);
    byKey.set(String(object['name']), object);
    byKey.set(`${object.type}:${String(object['name'])}`, object);
  }
  return (key) => {
    const object = byKey.get(key);
    if (!object) throw new Error(`relations.ts names ${key}, which no table holds`);
    return object;
  };
}

function relationshipObjects(objects: readonly StixObject[]): StixObject[] {
  const find = directory(objects);
  return relations.flatMap(([source, kind, targets]) =>
    targets.map((target) => {
      const [from, to] = [find(source), find(target)];
      return {
        ...common('relationship', `${from.id} ${kind} ${to.id}`, timeOf(12, 28)),
        relationship_type: kind,
        source_ref: from.id,
        target_ref: to.id,
      };
    }),
  );
}

const frame = (): StixObject[] => [
  {
    type: 'marking-definition',
    spec_version: '2.1',
    id: green,
    created: '2017-01-20T00:00:00.000Z',
    definition_type: 'tlp',
    name: 'TLP:GREEN',
    definition: { tlp: 'green' },
  },
  {
    type: 'identity',
    spec_version: '2.1',
    id: author,
    created: timeOf(1, 2),
    modified: timeOf(1, 2),
    name: 'Northquay Logistics',
    description: 'An invented logistics company: three hubs, forty depots, 2,300 people.',
    identity_class: 'organization',
    sectors: ['transportation'],
  },
  {
    ...common('extension-definition', 'scores and catalogue facts', timeOf(1, 2)),
    name: 'Scores and catalogue facts',
    description: 'CVSS scores of vulnerabilities; platforms, likelihood and severity of attack patterns.',
    schema: 'Properties as written by cve2stix (x_cvss), MITRE ATT&CK (x_mitre_) and CAPEC (x_capec_).',
    version: '1.0.0',
    extension_types: ['toplevel-property-extension'],
    extension_properties: [
      'x_cvss',
      'x_mitre_platforms',
      'x_capec_likelihood_of_attack',
      'x_capec_typical_severity',
    ],
  },
];

/** The whole report: a STIX 2.1 bundle. */
export function buildBundle(): { type: 'bundle'; id: string; objects: StixObject[] } {
  const found = foundObjects();
  return {
    type: 'bundle',
    id: idOf('bundle', 'Northquay Logistics 2025'),
    objects: [...frame(), ...found, ...relationshipObjects(found)],
  };
}
