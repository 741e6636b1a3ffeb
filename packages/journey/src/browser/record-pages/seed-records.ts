import type { Scenario } from './scenario.ts';

/** Ids of the records that users created, by a short name. */
export interface SeedIds {
  project: string;
  assets: { crane: string; kiosk: string };
  /** Severities on both sides of each threshold. */
  vulnerabilities: { nine: string; seven: string; four: string; below: string };
  threats: { thirty: string; sixty: string; above: string };
}

const days = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString();

export const seedNames = {
  nine: 'Lock gate opens for anybody',
  seven: 'Crane cabin has no lock',
  four: 'Kiosk shows other people’s tickets',
  below: 'Lamp controller answers pings',
  thirty: 'Gulls on the antenna',
  sixty: 'Curious visitors',
  above: 'Rival port with a grudge',
} as const;

/** Creates a project, assets, vulnerabilities and threats through the API. */
export async function createSeedRecords(api: Scenario['api']): Promise<SeedIds> {
  const id = async (path: string, body: object) => String((await api('POST', path, body))['_id']);
  const projectId = await id('/api/projects', {
    name: 'Harbour renewal',
    description: 'Cranes, gates and what steers them.',
    startDate: '2026-01-05',
  });
  const asset = (name: string, more: object) =>
    id(`/api/assets?projectId=${projectId}`, {
      name,
      description: `${name} at the east quay.`,
      assetTypeId: 1,
      ...more,
    });
  const crane = await asset('Crane controller', {
    criticality: 5,
    confidentialityLevel: 3,
    integrityLevel: 4,
  });
  const kiosk = await asset('Gate kiosk', { criticality: 2 });

  const vulnerability = (name: string, more: object) =>
    id('/api/vulnerabilities', { name, description: `${name}, seen on a round.`, ...more });
  const nine = await vulnerability(seedNames.nine, {
    severity: 9,
    status: 'open',
    categoryId: 3,
    cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:N',
    exploitability: 8,
    impact: 7.5,
    solution: 'Ask for a badge.',
    mitigation: 'Keep a guard at the gate.',
    discoveryDate: days(45),
    relatedAssets: [crane, kiosk],
    reference: 'https://harbour.example.org/rounds/9',
  });
  const seven = await vulnerability(seedNames.seven, {
    severity: 7,
    status: 'mitigated',
    discoveryDate: days(31),
    relatedAssets: [crane],
  });
  const four = await vulnerability(seedNames.four, { severity: 4, status: 'fixed', discoveryDate: days(61) });
  const below = await vulnerability(seedNames.below, { severity: 3.9, status: 'accepted' });

  const threat = (name: string, more: object) =>
    id('/api/threats', { name, description: `${name}, as reported by the watch.`, ...more });
  const thirty = await threat(seedNames.thirty, { riskLevel: 30, isActive: false });
  const sixty = await threat(seedNames.sixty, { riskLevel: 60, threatTypeId: 6 });
  const above = await threat(seedNames.above, {
    threatTypeId: 4,
    threatID: 'T1199',
    motivation: 3,
    capability: 2,
    likelihood: 4,
    impact: 5,
    mitigationStrategy: 'Two keys for every gate.',
    reference: 'https://harbour.example.org/rivals',
    relatedAssets: [crane],
  });
  return {
    project: projectId,
    assets: { crane, kiosk },
    vulnerabilities: { nine, seven, four, below },
    threats: { thirty, sixty, above },
  };
}
