import { cveReference, object, relationship, type StixObject, threat, vulnerability } from './stix2.ts';

/** Characters that PostgreSQL cannot store, and how the reason names them. */
export const forbiddenCharacters = [
  ['NUL', '\0', 'U+0000'],
  ['a lone high surrogate', '\uD800', 'U+D800'],
  ['a lone low surrogate', '\uDFFF', 'U+DFFF'],
  ['a pair in the wrong order', '\uDE00\uD83D', 'U+DE00'],
] as const;

const reference = { ...cveReference('CVE-2021-1001'), url: 'https://example.org', description: 'Advisory' };
const phase = { kill_chain_name: 'mitre-attack', phase_name: 'impact' };
const marking = { selectors: ['name'], marking_ref: 'marking-definition--1' };

/** Objects of several types that have every kind of text position. */
const samples = (): StixObject[] => [
  vulnerability({
    description: 'Text',
    external_references: [reference],
    labels: ['one', 'two'],
    x_cvss: { v3_1: [{ vector_string: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', type: 'Primary' }] },
    x_nested: [[['deep']], { list: [{ text: 'deeper' }] }],
  }),
  threat({ aliases: ['Alias'], kill_chain_phases: [phase], granular_markings: [marking] }, 'attack-pattern'),
  threat({ goals: ['Goal'], primary_motivation: 'ideology', roles: ['agent'] }, 'threat-actor'),
  relationship('exploits', threat(), vulnerability()),
  object('indicator', { pattern: "[file:name = 'x']", pattern_type: 'stix' }),
  object('x-custom', { extensions: { 'extension-definition--1': { extension_type: 'new-sdo' } } }),
];

/** The value with `change` applied to one of its texts or property names, once for each of them. */
function* changedValues(value: unknown, change: (text: string) => string): Generator<[string, unknown]> {
  if (typeof value === 'string') yield ['', change(value)];
  if (typeof value !== 'object' || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    if (!Array.isArray(value)) {
      const renamed = Object.entries(value).map(([name, held]) => [name === key ? change(name) : name, held]);
      yield [`the property name ${key}`, Object.fromEntries(renamed)];
    }
    for (const [path, changed] of changedValues(item, change)) {
      const copy = Array.isArray(value) ? value.with(Number(key), changed) : { ...value, [key]: changed };
      yield [path.startsWith('the') ? `${path} in ${key}` : `/${key}${path}`, copy];
    }
  }
}

export interface SpoiledObject {
  /** Type and position of the text that was changed. */
  position: string;
  object: StixObject;
}

/** Copies of the samples, each with the character at one of the text positions: at its start, in its middle or at its end. */
export function spoiledObjects(character: string): SpoiledObject[] {
  return samples().flatMap((sample) => {
    let count = 0;
    const change = (text: string): string => {
      const at = [0, Math.floor(text.length / 2), text.length][count % 3] ?? 0;
      return text.slice(0, at) + character + text.slice(at);
    };
    return [...changedValues(sample, change)].map(([position, changed]) => {
      count += 1;
      return { position: `${sample.type}: ${position}`, object: changed as StixObject };
    });
  });
}
