/** Warnings about a report that is accepted nevertheless. */
export const warningMessages = {
  'no-spec-version': 'No object states its STIX version as a text (spec_version); read as STIX 2.1.',
  'no-modified': 'An object has no "modified" time, or one that is not a text, although STIX requires it.',
  'modified-before-created': 'An object was modified before it was created.',
  'time-unusable': 'A time is invalid or outside the years 1 to 9999; it was left empty.',
  'no-name':
    'An object has no name, or one that is not a text, although STIX requires it; a substitute is shown.',
  'name-too-long': 'A name is longer than 500 characters; its end was cut off.',
  'text-too-long': 'A text is longer than 65,536 characters; its end was cut off.',
  'list-too-long':
    'A list of a record has more than 1,000 entries or 65,536 characters; the others were left out.',
  'cve-not-an-id': 'A CVE id field contains other text; it was kept as text.',
  'cwe-not-an-id': 'A CWE id field contains other text; it was left out.',
  'cwe-too-many': 'A vulnerability has more than 100 CWE ids; the others were left out.',
  'cvss-vector-invalid': 'A CVSS vector is not valid; it was kept as text and not scored.',
  'cvss-score-unusable': 'A CVSS score is not a number from 0 to 10; it was left out.',
  'cvss-score-differs': 'A stated CVSS score differs from the score of its vector; the vector is used.',
  'confidence-unusable': 'A confidence is not a number from 0 to 100; it was left out.',
  'marking-unknown':
    'A marking of objects is not defined in the file; if it is a TLP marking, the objects lack its label.',
  'marking-late':
    'A TLP marking is defined after objects that it marks; these objects were read without its label.',
  'marking-unclear':
    'It is unclear which part of a package a TLP marking covers; its label was applied to all of the package.',
  'kill-chain-phase-unnamed':
    'A kill-chain phase of a TTP is stated only by its id, not by its name; its tactic was left out.',
  'relation-without-id': 'A TTP and an exploit target in it are not related, because one of them has no id.',
  'package-intent': 'The package intent is not in its vocabulary: the file is not schema-valid STIX.',
  fragment: 'The file is a STIX fragment without a package, so its STIX version is unknown.',
  'incomplete-page': 'The TAXII response has more pages; this file contains only one of them.',
  'nothing-to-extract': 'The file contains no STIX objects; there is nothing to extract.',
  'version-unknown': 'The STIX version stated in the file is unknown (known: 1.0-1.2.1, 2.0, 2.1).',
  'content-not-stix': 'A TAXII content block contains something other than STIX.',
} as const;

export type WarningCode = keyof typeof warningMessages;

/** Called by a mapper for each warning; the reader adds the location and counts them. */
export type Warn = (code: WarningCode) => void;
