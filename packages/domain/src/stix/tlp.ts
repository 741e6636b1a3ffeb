import { isObject, objectsAt, textsAt, type JsonObject } from './json-value.ts';

/**
 * The predefined TLP markings: STIX 2.1 section 7.2.1.4 (TLP 1.0), the TLP 2.0 extension, and the marking that OpenCTI had
 * before it.
 */
const predefined: ReadonlyMap<string, string> = new Map([
  ['marking-definition--613f2e26-407d-48c7-9eca-b8e91df99dc9', 'TLP:WHITE'],
  ['marking-definition--34098fce-860f-48ae-8e50-ebd3cc5e41da', 'TLP:GREEN'],
  ['marking-definition--f88d31f6-486f-44da-b317-01333bde0b82', 'TLP:AMBER'],
  ['marking-definition--5e57c739-391a-4eb3-b6be-7d15ca92d5ed', 'TLP:RED'],
  ['marking-definition--94868c89-83c2-464b-929b-a1a8aa3c8487', 'TLP:CLEAR'],
  ['marking-definition--bab4a63c-aed9-4cf5-a766-dfca5abac2bb', 'TLP:GREEN'],
  ['marking-definition--55d920b0-5e8b-4f79-9ee9-91f868d9b421', 'TLP:AMBER'],
  ['marking-definition--939a9414-2ddd-4d32-a0cd-375ea402b003', 'TLP:AMBER+STRICT'],
  ['marking-definition--826578e1-40ad-459f-bc73-ede076f81f37', 'TLP:AMBER+STRICT'],
  ['marking-definition--e828b379-4e03-4974-9ac4-e53a884c97c1', 'TLP:RED'],
]);

/** The TLP labels, the strictest last. */
export const tlpStrictness = [
  'TLP:CLEAR',
  'TLP:WHITE',
  'TLP:GREEN',
  'TLP:AMBER',
  'TLP:AMBER+STRICT',
  'TLP:RED',
] as const;

/** The strictest of several TLP labels: a reader must satisfy all of them. */
export function strictestTlp(labels: readonly (string | undefined)[]): string | undefined {
  return tlpStrictness.findLast((label) => labels.includes(label));
}

/** The TLP label of a term in any case, with or without `TLP:`; undefined for other terms. */
export function tlpLabel(term: string): string | undefined {
  const color = term
    .trim()
    .toUpperCase()
    .replace(/^TLP:\s*/, '');
  return strictestTlp([`TLP:${color}`]);
}

/** The label of a predefined TLP marking. */
export const predefinedTlp = (id: string): string | undefined => predefined.get(id);

/** A text that is a label with its prefix: other texts name no TLP label, even if they are a color. */
const prefixed = /^\s*TLP:/i;

/**
 * The TLP terms of a marking definition: of TLP 1.0, of the extensions for TLP 2.0 and IEP 2.0, of OpenCTI, and of producers
 * that write the label as the name or the statement.
 */
function termsOf(marking: JsonObject): string[] {
  const { definition, extensions } = marking;
  const stated = isObject(definition) ? definition : {};
  const inExtensions = isObject(extensions) ? Object.values(extensions).filter(isObject) : [];
  const texts = [...textsAt(marking, 'name'), ...textsAt(stated, 'statement')];
  return [
    ...textsAt(stated, 'tlp'),
    ...textsAt(stated, 'TLP'),
    ...inExtensions.flatMap((extension) => [...textsAt(extension, 'tlp_2_0'), ...textsAt(extension, 'tlp')]),
    ...textsAt(marking, 'x_opencti_definition'),
    ...texts.filter((text) => prefixed.test(text)),
  ];
}

/** The TLP label that a `marking-definition` of a report defines. */
export const definedTlp = (marking: JsonObject): string | undefined =>
  strictestTlp(termsOf(marking).map(tlpLabel));

/** The TLP label of a marking by its id. */
export type TlpOfMarking = (id: string) => string | undefined;

/** The TLP label of a 2.x object: the strictest of its markings, those of single properties included. */
export function tlpOf(object: JsonObject, tlpOfMarking: TlpOfMarking): string | undefined {
  const ofProperties = objectsAt(object, 'granular_markings').flatMap((one) => textsAt(one, 'marking_ref'));
  return strictestTlp([...textsAt(object, 'object_marking_refs'), ...ofProperties].map(tlpOfMarking));
}
