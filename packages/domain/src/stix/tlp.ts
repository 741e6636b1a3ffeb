import { textsAt, type JsonObject } from './json-value.ts';

/** The predefined TLP markings: STIX 2.1 section 7.2.1.4 (TLP 1.0) and the TLP 2.0 extension. */
const markings: ReadonlyMap<string, string> = new Map([
  ['marking-definition--613f2e26-407d-48c7-9eca-b8e91df99dc9', 'TLP:WHITE'],
  ['marking-definition--34098fce-860f-48ae-8e50-ebd3cc5e41da', 'TLP:GREEN'],
  ['marking-definition--f88d31f6-486f-44da-b317-01333bde0b82', 'TLP:AMBER'],
  ['marking-definition--5e57c739-391a-4eb3-b6be-7d15ca92d5ed', 'TLP:RED'],
  ['marking-definition--94868c89-83c2-464b-929b-a1a8aa3c8487', 'TLP:CLEAR'],
  ['marking-definition--bab4a63c-aed9-4cf5-a766-dfca5abac2bb', 'TLP:GREEN'],
  ['marking-definition--55d920b0-5e8b-4f79-9ee9-91f868d9b421', 'TLP:AMBER'],
  ['marking-definition--939a9414-2ddd-4d32-a0cd-375ea402b003', 'TLP:AMBER+STRICT'],
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
export function strictestTlp(labels: readonly string[]): string | undefined {
  return tlpStrictness.findLast((label) => labels.includes(label));
}

/** The TLP label of a 2.x object, from its predefined markings. */
export function tlpOf(object: JsonObject): string | undefined {
  const labels = textsAt(object, 'object_marking_refs').map((id) => markings.get(id) ?? '');
  return strictestTlp(labels);
}
