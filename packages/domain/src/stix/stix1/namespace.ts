/** CybOX, whose Observable is a core construct of STIX. */
const cybox = ['http://cybox.mitre.org/', 'http://docs.oasis-open.org/cti/ns/cybox/'] as const;
const stix = ['http://stix.mitre.org/', 'http://docs.oasis-open.org/cti/ns/stix/', ...cybox] as const;

/** Formats that extensions of STIX contain: their elements with an id are parts of a construct. */
const formats = [
  'http://data-marking.mitre.org/',
  'http://docs.oasis-open.org/cti/ns/data-marking/',
  'http://maec.mitre.org/',
  'http://xml/metadataSharing.xsd',
  'http://capec.mitre.org/',
  'http://cpe.mitre.org/',
  'http://oval.mitre.org/',
  'http://schemas.mandiant.com/',
  'http://openioc.org/',
  'http://www.icasi.org/CVRF/',
  'http://scap.nist.gov/',
  'http://taxii.mitre.org/',
  'http://iana.org/idmef',
  'http://www.w3.org/',
  'urn:oasis:names:tc:ciq:',
  'urn:ietf:params:xml:ns:iodef',
] as const;

const startsWithOne = (uri: string, starts: readonly string[]): boolean =>
  starts.some((start) => uri.startsWith(start));

export const isCybox = (uri: string): boolean => startsWithOne(uri, cybox);

type Role = 'stix' | 'format' | 'unknown';

function findRole(uri: string): Role {
  if (startsWithOne(uri, stix)) return 'stix';
  return startsWithOne(uri, formats) ? 'format' : 'unknown';
}

/** Roles by namespace: every element is asked for its own. Bounded, because a file may contain any number. */
const roles = new Map<string, Role>();
const mostRoles = 1000;

/** `stix` includes CybOX and the extensions of STIX; `format` is another known format. */
export function namespaceRole(uri: string): Role {
  const known = roles.get(uri);
  if (known !== undefined) return known;
  const role = findRole(uri);
  if (roles.size >= mostRoles) roles.clear();
  roles.set(uri, role);
  return role;
}
