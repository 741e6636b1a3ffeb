import { createHash } from 'node:crypto';

/** Reports of a fictional harbour: every name, CVE and text in them is invented. */
const created = '2026-02-03T08:00:00.000Z';

function stixId(type: string, seed: string): string {
  const hex = createHash('sha256').update(`${type} ${seed}`).digest('hex');
  return `${type}--${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const head = (type: string, name: string) => ({
  type,
  spec_version: '2.1',
  id: stixId(type, name),
  created,
  modified: created,
  name,
});

interface Flaw {
  name: string;
  cve: string;
  cwe?: readonly string[];
  /** What `x_cvss` holds, by version. */
  cvss?: Record<string, { vector_string: string; base_score: number; type: string }>;
  revoked?: boolean;
}

const flaw = ({ name, cve, cwe = [], cvss, revoked }: Flaw) => ({
  ...head('vulnerability', name),
  description: `What the harbour's own scan wrote about ${cve}.`,
  ...(revoked === true && { revoked }),
  external_references: [
    { source_name: 'cve', external_id: cve },
    ...cwe.map((id) => ({ source_name: 'cwe', external_id: id })),
  ],
  ...(cvss && { x_cvss: cvss }),
});

const metric = (vector_string: string, base_score: number) => ({
  vector_string,
  base_score,
  type: 'Primary',
});

/** One vulnerability for each form of a score, and one without a score. */
export const flaws = {
  v31: 'Mooring sensor trusts any packet',
  v2: 'Radar display overflows',
  v40: 'Pilot app keeps its key in the open',
  low: 'Tide table shows its version',
  none: 'Buoy log gives positions away',
  revoked: 'Retired gate firmware',
} as const;

export const cves = {
  v31: 'CVE-2032-1001',
  v2: 'CVE-2032-1002',
  v40: 'CVE-2032-1003',
  none: 'CVE-2032-1005',
} as const;

/** Number of rows without a score: more than 500, so that a selection of all is deleted by a job (contract). */
export const berths = 600;
/** Number of threats of all types. */
export const threatCount = 62;

const berth = (n: number) => String(n + 1).padStart(3, '0');

function fileOf(name: string, objects: object[]): { name: string; mimeType: string; buffer: Buffer } {
  const bundle = { type: 'bundle', id: stixId('bundle', name), objects };
  return { name, mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(bundle)) };
}

const oldFirmware: Flaw = {
  name: flaws.revoked,
  cve: 'CVE-2032-1006',
  cvss: { v3_1: metric('CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:L/A:N', 5.3) },
};
const vector31 = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';

export const harbour = fileOf('harbour-scan.json', [
  flaw({ name: flaws.v31, cve: cves.v31, cwe: ['CWE-345', 'CWE-20'], cvss: { v3_1: metric(vector31, 9.8) } }),
  flaw({
    name: flaws.v2,
    cve: cves.v2,
    cwe: ['CWE-787'],
    cvss: { v2_0: metric('AV:N/AC:L/Au:N/C:P/I:P/A:P', 7.5) },
  }),
  flaw({
    name: flaws.v40,
    cve: cves.v40,
    cwe: ['CWE-312'],
    cvss: { v4_0: metric('CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', 9.3) },
  }),
  flaw({
    name: flaws.low,
    cve: 'CVE-2032-1004',
    cwe: ['CWE-200'],
    cvss: { v3_1: metric('CVSS:3.1/AV:P/AC:H/PR:H/UI:R/S:U/C:L/I:N/A:N', 1.6) },
  }),
  flaw({ name: flaws.none, cve: cves.none, cwe: ['CWE-99999'] }),
  flaw(oldFirmware),
  ...Array.from({ length: berths }, (_, n) =>
    flaw({ name: `Berth ${berth(n)} runs old software`, cve: `CVE-2032-${20_001 + n}` }),
  ),
  {
    ...head('attack-pattern', 'Phishing of pilots'),
    description: 'Letters that look like those of the harbour master.',
    external_references: [{ source_name: 'mitre-attack', external_id: 'T1566' }],
  },
  {
    ...head('attack-pattern', 'Forged tide gauge'),
    description: 'A sender that pretends to be the gauge at the pier.',
    external_references: [{ source_name: 'capec', external_id: 'CAPEC-148' }],
    x_capec_likelihood_of_attack: 'High',
    x_capec_typical_severity: 'Medium',
  },
  { ...head('malware', 'Barnacle'), is_family: true, malware_types: ['ransomware'] },
  ...Array.from({ length: threatCount - 3 }, (_, n) => ({
    ...head('attack-pattern', `Watch ${berth(n)} is slept through`),
    external_references: [{ source_name: 'mitre-attack', external_id: `T${1700 + n}` }],
  })),
]);

/** Asserts one vulnerability of the other report again. */
export const pilots = fileOf('pilot-notes.json', [
  flaw({ name: flaws.v31, cve: cves.v31, cwe: ['CWE-345'], cvss: { v3_1: metric(vector31, 9.8) } }),
]);

export const craneCount = 12;
/** More critical vulnerabilities than an import reports one by one. */
export const cranes = fileOf(
  'crane-scan.json',
  Array.from({ length: craneCount }, (_, n) =>
    flaw({
      name: `Crane ${berth(n)} obeys any remote`,
      cve: `CVE-2032-${30_001 + n}`,
      cvss: { v3_1: metric(vector31, 9.8) },
    }),
  ),
);

/** Revokes the gate firmware vulnerability of the scan. */
export const recall = fileOf('gate-recall.json', [
  { ...flaw({ ...oldFirmware, revoked: true }), modified: '2026-03-04T08:00:00.000Z' },
]);

/** Reports without records to extract, enough for a second page of the files list. */
export const logbooks = Array.from({ length: 10 }, (_, n) =>
  fileOf(`logbook-${berth(n)}.json`, [
    { ...head('identity', `Harbour master ${n}`), identity_class: 'individual' },
  ]),
);
