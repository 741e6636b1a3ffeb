/** What a reader tells a person about a report that it accepts all the same. */
export const warningMessages = {
  'text-cleaned': 'Characters that no database stores (NUL, lone surrogates) were replaced by U+FFFD.',
  'no-spec-version': 'No object says its STIX version (spec_version); read as STIX 2.1.',
  'no-modified': 'An object has no "modified" time although STIX requires it.',
  'modified-before-created': 'An object was modified before it was created.',
  'time-unusable': 'A time could not be read or lies outside the years 1 to 9999; it was left empty.',
  'no-name': 'An object has no name although STIX requires it; a substitute is shown.',
  'cve-not-an-id': 'The place for a CVE id holds other text; it was kept as text.',
  'cvss-vector-invalid': 'A CVSS vector is not valid; it was kept as text and not scored.',
  'cvss-score-differs': 'A stated CVSS score differs from what its vector gives; the vector counts.',
  'package-intent': 'The package intent is not in its vocabulary: the file is not schema-valid STIX.',
  fragment: 'The file is a STIX fragment without a package, so its STIX version is unknown.',
  'incomplete-page': 'The TAXII answer says that more pages follow; this file holds only one of them.',
  'nothing-to-extract': 'The file holds no STIX objects; there is nothing to extract.',
  'version-unknown': 'The STIX version stated in the file is not one that is known (1.0-1.2.1, 2.0, 2.1).',
  'content-not-stix': 'A TAXII content block holds something other than STIX.',
} as const;

export type WarningCode = keyof typeof warningMessages;

/** Called by a mapper for each finding; the reader adds the place and counts. */
export type Warn = (code: WarningCode) => void;
