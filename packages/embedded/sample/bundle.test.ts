import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { buildBundle } from './bundle.ts';
import type { StixObject } from './stix-object.ts';

const file = new URL('northquay-logistics-2025.json', import.meta.url);
const { objects } = buildBundle();
const ofTypes = (...types: string[]): StixObject[] => objects.filter((object) => types.includes(object.type));

/** STIX 2.1, section 5.1 and the relationship tables of section 4: what the kinds used here may join. */
const allowed = new Set([
  'attack-pattern uses tool',
  'attack-pattern targets vulnerability',
  'campaign attributed-to intrusion-set',
  'campaign attributed-to threat-actor',
  'campaign targets vulnerability',
  'campaign uses attack-pattern',
  'campaign uses malware',
  'campaign uses tool',
  'intrusion-set uses attack-pattern',
  'intrusion-set uses malware',
  'malware exploits vulnerability',
  'threat-actor targets vulnerability',
  'threat-actor uses attack-pattern',
  'threat-actor uses malware',
  'threat-actor uses tool',
]);

describe('the bundled sample report', () => {
  it('is what its tables give', async () => {
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(buildBundle());
  });

  it('holds 60 threats and 40 vulnerabilities', () => {
    const threats = ofTypes('attack-pattern', 'malware', 'tool', 'threat-actor', 'intrusion-set', 'campaign');
    expect([threats.length, ofTypes('vulnerability').length]).toEqual([60, 40]);
  });

  it('has one identifier an object, each of the form type--UUID (STIX 2.1, 2.9)', () => {
    expect(new Set(objects.map(({ id }) => id)).size).toBe(objects.length);
    for (const { type, id } of objects) {
      expect(id).toMatch(
        new RegExp(`^${type}--[0-9a-f]{8}-[0-9a-f]{4}-[45][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`),
      );
    }
  });

  it('refers only to what it holds, and joins only what the standard lets be joined', () => {
    const types = new Map(objects.map(({ id, type }) => [id, type]));
    for (const object of objects) {
      const { created_by_ref, object_marking_refs } = object as {
        created_by_ref?: string;
        object_marking_refs?: string[];
      };
      for (const id of [created_by_ref, ...(object_marking_refs ?? [])])
        expect(id === undefined || types.has(id)).toBe(true);
    }
    for (const relationship of ofTypes('relationship')) {
      const source = types.get(String(relationship['source_ref']));
      const target = types.get(String(relationship['target_ref']));
      expect(allowed).toContain(`${source} ${String(relationship['relationship_type'])} ${target}`);
    }
  });

  it('declares every property beyond the standard (STIX 2.1, 7.3)', () => {
    const [definition] = ofTypes('extension-definition');
    const declared = new Set(definition?.['extension_properties'] as string[]);
    for (const object of objects) {
      const own = Object.keys(object).filter((name) => name.startsWith('x_'));
      expect(own.every((name) => declared.has(name))).toBe(true);
      expect(Object.keys(object['extensions'] ?? {})).toEqual(own.length > 0 ? [definition?.id] : []);
    }
  });
});
