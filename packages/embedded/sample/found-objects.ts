import { attack, common, extended, type StixObject, timeOf } from './stix-object.ts';
import {
  actors,
  campaigns,
  intrusionSets,
  malware,
  patterns,
  type SampleActor,
  type SampleCampaign,
  type SampleIntrusionSet,
  type SamplePattern,
  type SampleSoftware,
  type SampleTechnique,
  techniques,
  tools,
} from './threats.ts';
import { type SampleVulnerability, vulnerabilities } from './vulnerabilities.ts';

/** NVD's words: version 2 knows no critical. */
function severityOf(key: string, score: number): string {
  if (score >= 9 && key !== 'v2_0') return 'CRITICAL';
  if (score >= 7) return 'HIGH';
  return score >= 4 ? 'MEDIUM' : 'LOW';
}

const cvssKeys = { 'CVSS:4.0': 'v4_0', 'CVSS:3.1': 'v3_1', 'CVSS:3.0': 'v3_0' } as const;

function scored([vector, score]: readonly [string, number]) {
  const key = cvssKeys[vector.slice(0, 8) as keyof typeof cvssKeys] ?? 'v2_0';
  return {
    [key]: {
      base_score: score,
      base_severity: severityOf(key, score),
      vector_string: vector,
      type: 'Primary',
    },
  };
}

function vulnerability(found: SampleVulnerability): StixObject {
  const cvss = { ...(found.cvss && scored(found.cvss)), ...(found.cvss4 && scored(found.cvss4)) };
  const cve = found.cve && {
    source_name: 'cve',
    external_id: found.cve,
    url: `https://nvd.nist.gov/vuln/detail/${found.cve}`,
  };
  const cwes = (found.cwe ?? []).map((number) => ({
    source_name: 'cwe',
    external_id: `CWE-${number}`,
    url: `https://cwe.mitre.org/data/definitions/${number}.html`,
  }));
  const references = cve ? [cve, ...cwes] : cwes;
  return {
    ...common('vulnerability', found.cve ?? found.title, timeOf(found.month)),
    name: found.title,
    description: found.text,
    ...(references.length > 0 && { external_references: references }),
    ...(found.cvss && { ...extended, x_cvss: cvss }),
  };
}

const technique = (found: SampleTechnique, index: number): StixObject => ({
  ...common('attack-pattern', found.id, timeOf(1 + (index % 12), 4)),
  name: found.name,
  description: found.text,
  kill_chain_phases: found.tactics.map((phase) => ({ kill_chain_name: 'mitre-attack', phase_name: phase })),
  external_references: [attack(found.id, 'techniques')],
  ...extended,
  x_mitre_platforms: found.platforms,
});

const pattern = (found: SamplePattern, index: number): StixObject => ({
  ...common('attack-pattern', `CAPEC-${found.id}`, timeOf(1 + (index % 12), 11)),
  name: found.name,
  description: found.text,
  external_references: [
    {
      source_name: 'capec',
      external_id: `CAPEC-${found.id}`,
      url: `https://capec.mitre.org/data/definitions/${found.id}.html`,
    },
  ],
  ...extended,
  x_capec_likelihood_of_attack: found.likelihood,
  x_capec_typical_severity: found.severity,
});

const family = (found: SampleSoftware, index: number): StixObject => ({
  ...common('malware', found.name, timeOf(1 + index, 20)),
  name: found.name,
  description: found.text,
  malware_types: found.types,
  is_family: true,
  ...(found.id && { external_references: [attack(found.id, 'software')] }),
});

const tool = (found: SampleSoftware, index: number): StixObject => ({
  ...common('tool', found.name, timeOf(4 + index, 22)),
  name: found.name,
  description: found.text,
  tool_types: found.types,
  ...(found.id && { external_references: [attack(found.id, 'software')] }),
});

const actor = (found: SampleActor): StixObject => ({
  ...common('threat-actor', found.name, timeOf(5)),
  name: found.name,
  description: found.text,
  threat_actor_types: [found.type],
  sophistication: found.sophistication,
  resource_level: found.resources,
  primary_motivation: found.motivation,
  goals: found.goals,
});

const intrusionSet = (found: SampleIntrusionSet): StixObject => ({
  ...common('intrusion-set', found.name, timeOf(6)),
  name: found.name,
  description: found.text,
  first_seen: found.firstSeen,
  resource_level: found.resources,
  primary_motivation: found.motivation,
  ...(found.id && { external_references: [attack(found.id, 'groups')] }),
});

const campaign = (found: SampleCampaign): StixObject => ({
  ...common('campaign', found.name, timeOf(12, 22)),
  name: found.name,
  description: found.text,
  first_seen: found.firstSeen,
  last_seen: found.lastSeen,
  objective: found.objective,
});

/** Every threat and vulnerability of the tables. */
export const foundObjects = (): StixObject[] => [
  ...techniques.map(technique),
  ...patterns.map(pattern),
  ...malware.map(family),
  ...tools.map(tool),
  ...actors.map(actor),
  ...intrusionSets.map(intrusionSet),
  ...campaigns.map(campaign),
  ...vulnerabilities.map(vulnerability),
];
