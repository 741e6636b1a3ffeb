import { createHash } from 'node:crypto';

/** A report to drop. All content is invented. */
export interface Dropped {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

function uuid(seed: string): string {
  const hex = createHash('sha256').update(seed).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const time = '2026-03-01T09:00:00.000Z';

const json = (name: string, bundle: object): Dropped => ({
  name,
  mimeType: 'application/json',
  buffer: Buffer.from(JSON.stringify(bundle)),
});

/** STIX 2.1 with two vulnerabilities (one also in the 2.0 report) and one piece of malware. */
export const stix21: Dropped = json('quay-cranes.json', {
  type: 'bundle',
  id: `bundle--${uuid('b21')}`,
  objects: [
    {
      type: 'vulnerability',
      spec_version: '2.1',
      id: `vulnerability--${uuid('v1')}`,
      created: time,
      modified: time,
      name: 'Crane controller accepts any firmware',
      external_references: [
        { source_name: 'cve', external_id: 'CVE-2031-10001' },
        { source_name: 'cwe', external_id: 'CWE-347' },
      ],
      x_cvss: {
        v3_1: {
          base_score: 8.8,
          vector_string: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H',
          type: 'Primary',
        },
      },
    },
    {
      type: 'vulnerability',
      spec_version: '2.1',
      id: `vulnerability--${uuid('v2')}`,
      created: time,
      modified: time,
      name: 'Yard scanner leaks its log',
      external_references: [{ source_name: 'cve', external_id: 'CVE-2031-10002' }],
    },
    {
      type: 'malware',
      spec_version: '2.1',
      id: `malware--${uuid('m1')}`,
      created: time,
      modified: time,
      name: 'Tidewrack',
      is_family: true,
    },
    {
      type: 'identity',
      spec_version: '2.1',
      id: `identity--${uuid('i1')}`,
      created: time,
      modified: time,
      name: 'Quay operator',
    },
  ],
});

/** STIX 2.0 with a technique and a vulnerability that the 2.1 report names too. */
export const stix20: Dropped = json('gate-systems.json', {
  type: 'bundle',
  id: `bundle--${uuid('b20')}`,
  spec_version: '2.0',
  objects: [
    {
      type: 'attack-pattern',
      id: `attack-pattern--${uuid('a1')}`,
      created: time,
      modified: time,
      name: 'Phishing of gate clerks',
      external_references: [{ source_name: 'mitre-attack', external_id: 'T1566' }],
    },
    {
      type: 'vulnerability',
      id: `vulnerability--${uuid('v3')}`,
      created: time,
      modified: time,
      name: 'CVE-2031-10001',
      external_references: [{ source_name: 'cve', external_id: 'CVE-2031-10001' }],
    },
  ],
});

/** STIX 1.2 with one vulnerability and one threat actor. */
export const stix12: Dropped = {
  name: 'harbour-actors.xml',
  mimeType: 'text/xml',
  buffer: Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
<stix:STIX_Package xmlns:stix="http://stix.mitre.org/stix-1" xmlns:stixCommon="http://stix.mitre.org/common-1"
  xmlns:et="http://stix.mitre.org/ExploitTarget-1" xmlns:ta="http://stix.mitre.org/ThreatActor-1"
  xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:quay="http://quay.example.org/"
  id="quay:package-1" version="1.2">
  <stix:Exploit_Targets>
    <stixCommon:Exploit_Target id="quay:et-1" xsi:type="et:ExploitTargetType">
      <et:Title>Old berth planner</et:Title>
      <et:Vulnerability><et:CVE_ID>CVE-2031-10003</et:CVE_ID></et:Vulnerability>
    </stixCommon:Exploit_Target>
  </stix:Exploit_Targets>
  <stix:Threat_Actors>
    <stix:Threat_Actor id="quay:ta-1" xsi:type="ta:ThreatActorType"><ta:Title>Night Pilots</ta:Title></stix:Threat_Actor>
  </stix:Threat_Actors>
</stix:STIX_Package>
`),
};

/** Some MiB of techniques, large enough to observe the parse. */
export function largeReport(name: string, objects: number): Dropped {
  const description =
    'An operator of the yard finds the same sentence in every object, because only its size matters here. '.repeat(
      12,
    );
  return json(name, {
    type: 'bundle',
    id: `bundle--${uuid(name)}`,
    objects: Array.from({ length: objects }, (_, n) => ({
      type: 'attack-pattern',
      spec_version: '2.1',
      id: `attack-pattern--${uuid(`${name} ${n}`)}`,
      created: time,
      modified: time,
      name: `Technique ${n}`,
      description,
      external_references: [{ source_name: 'mitre-attack', external_id: `T${1000 + (n % 9000)}` }],
    })),
  });
}
