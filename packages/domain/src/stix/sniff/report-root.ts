import { quotedText } from '../clean-text.ts';
import { textAt, type JsonObject } from '../json-value.ts';
import { isStixPackage, constructKind } from '../stix1/definition.ts';
import { isCybox } from '../stix1/namespace.ts';

/** Why an upload is not a STIX report; the message is shown to the user. */
export interface Refusal {
  code: 'empty-file' | 'not-stix' | 'no-stix-content' | 'doctype' | 'malformed' | 'encoding';
  message: string;
}

export type XmlRoot = { role: 'package' | 'taxii' | 'fragment'; wrapper: string } | { refusal: Refusal };

const taxii: ReadonlyMap<string, string> = new Map([
  ['http://taxii.mitre.org/messages/taxii_xml_binding-1.1', 'taxii1.1'],
  ['http://taxii.mitre.org/messages/taxii_xml_binding-1', 'taxii1.0'],
]);

/** TAXII messages that can contain content blocks: TAXII 1.1 XML binding sections 3.10, 3.13, 3.14. */
const contentMessages: ReadonlySet<string> = new Set(['Poll_Response', 'Inbox_Message', 'Content_Block']);

/** Formats that are uploaded by mistake, by the start of the root's namespace. */
const foreignNamespaces = [
  ['http://cybox.mitre.org/', 'a CybOX document'],
  ['http://docs.oasis-open.org/cti/ns/cybox/', 'a CybOX document'],
  ['http://maec.mitre.org/', 'a MAEC document'],
  ['http://schemas.mandiant.com/', 'an OpenIOC document'],
  ['http://openioc.org/', 'an OpenIOC document'],
  ['urn:ietf:params:xml:ns:iodef', 'an IODEF document'],
  ['http://iana.org/idmef', 'an IDMEF document'],
  ['http://www.icasi.org/CVRF/', 'a CVRF advisory'],
  ['http://scap.nist.gov/', 'a SCAP feed'],
  ['http://oval.mitre.org/', 'an OVAL document'],
  ['http://www.w3.org/1999/xhtml', 'a web page'],
] as const;

const foreignNames: Readonly<Record<string, string>> = {
  html: 'a web page',
  HTML: 'a web page',
  ioc: 'an OpenIOC document',
  'IDMEF-Message': 'an IDMEF document',
};

const missing =
  'A STIX 1.x report has the root STIX_Package of a STIX namespace, is a TAXII 1.x message, or is one construct such as a TTP.';

/** A name of the file in a message. */
const quoted = (name: string): string => quotedText(name, 200);

function foreignXml(uri: string, local: string): string {
  const known = foreignNamespaces.find(([start]) => uri.startsWith(start))?.[1];
  const named = known ?? (Object.hasOwn(foreignNames, local) ? foreignNames[local] : undefined);
  return (
    named ??
    `an XML document with the root ${quoted(local)} ${uri === '' ? 'without a namespace' : `of ${quoted(uri)}`}`
  );
}

/** Classifies an XML upload by the namespace and local name of its root element; the prefix is ignored. */
export function xmlRoot(uri: string, local: string): XmlRoot {
  if (isStixPackage(uri, local)) return { role: 'package', wrapper: 'STIX_Package' };
  const binding = taxii.get(uri);
  if (binding !== undefined) return taxiiRoot(binding, local);
  const fragment = isCybox(uri) ? undefined : constructKind(uri, local);
  if (fragment !== undefined) return { role: 'fragment', wrapper: `fragment:${local}` };
  if (local === 'STIX_Package') {
    const message = 'No STIX content: the STIX_Package is outside the STIX namespaces.';
    return { refusal: { code: 'no-stix-content', message } };
  }
  const message = `Not a STIX report: this is ${foreignXml(uri, local)}. ${missing}`;
  return { refusal: { code: 'not-stix', message } };
}

function taxiiRoot(binding: string, local: string): XmlRoot {
  const wrapper = `${binding}:${local}`;
  if (contentMessages.has(local)) return { role: 'taxii', wrapper };
  const message = `No STIX content: a TAXII ${binding.slice(5)} ${quoted(local)} contains no content blocks.`;
  return { refusal: { code: 'no-stix-content', message } };
}

/** Whether this is the TAXII 1.x element that contains a block's STIX. */
export const isTaxiiContent = (uri: string, local: string): boolean => local === 'Content' && taxii.has(uri);

/** JSON formats that are uploaded by mistake, by keys of the root that must all be present. */
const foreignJson = [
  [['$schema', '$id'], 'a JSON Schema'],
  [['$schema', 'properties'], 'a JSON Schema'],
  [['$schema', 'allOf'], 'a JSON Schema'],
  [['Event'], 'a MISP event'],
  [['response'], 'a MISP export'],
  [['techniques', 'domain'], 'an ATT&CK Navigator layer'],
  [['dataType', 'cveMetadata'], 'a CVE record'],
  [['CVE_Items'], 'an NVD feed'],
  [['vulnerabilities', 'resultsPerPage'], 'an NVD API response'],
  [['catalogVersion', 'vulnerabilities'], 'a KEV catalogue'],
  [['bomFormat'], 'a CycloneDX bill of materials'],
  [['spdxVersion'], 'an SPDX document'],
  [['runs', 'version'], 'a SARIF log'],
  [['openapi'], 'an OpenAPI description'],
  [['action', 'actor', 'incident_id'], 'a VERIS incident'],
  [['document', 'product_tree'], 'a CSAF advisory'],
  [['document', 'vulnerabilities'], 'a CSAF advisory'],
  [['title', 'http_status'], 'a TAXII 2.x error message'],
  [['title', 'error_code'], 'a TAXII 2.x error message'],
  [['api_roots'], 'a TAXII 2.x discovery response'],
  [['collections'], 'a TAXII 2.x list of collections'],
] as const;

/** The format of a JSON root without STIX, by its keys; undefined when unknown. */
export function foreignJsonFormat(keys: ReadonlySet<string>): string | undefined {
  return foreignJson.find(([needed]) => needed.every((key) => keys.has(key)))?.[1];
}

/** The refusal of a JSON upload that is not STIX, by the keys of its root. */
export function jsonRefusal(keys: ReadonlySet<string>): Refusal {
  const format = foreignJsonFormat(keys);
  const shown = [...keys].slice(0, 5).map((key) => `"${quotedText(key.slice(0, 40), 40)}"`);
  return notStix(format ?? (shown.length === 0 ? 'JSON' : `JSON with the keys ${shown.join(', ')}`));
}

/** Whether the element of a list is an entry of a TAXII 2.x manifest (TAXII 2.1 section 5.6.1), which has ids of objects. */
export const isManifestEntry = (element: JsonObject): boolean =>
  textAt(element, 'id') !== undefined && textAt(element, 'date_added') !== undefined;

/** The refusal of a TAXII 2.x manifest. */
export const manifestRefusal = (): Refusal =>
  notStix('a TAXII 2.x manifest, which has the ids of objects and not the objects');

/** The refusal of a JSON upload that is not STIX, by what it is; names the formats accepted. */
export function notStix(found: string): Refusal {
  const wanted =
    'A STIX 2.x report is a bundle (type "bundle" with "objects"), a TAXII envelope with "objects", a STIX object with "type" and "id", or a list of those.';
  return { code: 'not-stix', message: `Not a STIX report: this is ${found}. ${wanted}` };
}
