import { createHash } from 'node:crypto';

/** A STIX 2.1 object. */
export type StixObject = { type: string; id: string } & Record<string, unknown>;

/** Namespace of this report's identifiers, so that building it again gives the same ones. */
const namespace = Buffer.from('7b1f0c5a4e0d4c1e9b0a6f2f8a1d3c77', 'hex');

/** RFC 9562, 5.5: version 5, from the SHA-1 of namespace and name. */
function uuid(name: string): string {
  const bytes = createHash('sha1').update(namespace).update(name).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

export const idOf = (type: string, key: string): string => `${type}--${uuid(`${type} ${key}`)}`;

export const author = idOf('identity', 'Northquay Logistics');
const extension = idOf('extension-definition', 'scores and catalogue facts');
/** STIX 2.1, 7.2.1.4: the fixed identifier of TLP:GREEN. */
export const green = 'marking-definition--34098fce-860f-48ae-8e50-ebd3cc5e41da';

export const timeOf = (month: number, day = 15): string =>
  new Date(Date.UTC(2025, month - 1, day, 9)).toISOString();

/** What every object of ours carries; `key` names it within its type. */
export const common = (type: string, key: string, time: string) => ({
  type,
  spec_version: '2.1',
  id: idOf(type, key),
  created_by_ref: author,
  created: time,
  modified: time,
  object_marking_refs: [green],
});

/** STIX 2.1, 7.3: properties beyond the standard are declared by an extension. */
export const extended = { extensions: { [extension]: { extension_type: 'toplevel-property-extension' } } };

export const attack = (id: string, folder: string) => ({
  source_name: 'mitre-attack',
  external_id: id,
  url: `https://attack.mitre.org/${folder}/${id.replace('.', '/')}`,
});
