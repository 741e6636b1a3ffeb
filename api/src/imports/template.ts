import { pipeline, Readable } from 'node:stream';
import { importableFields, importEntity, type ImportNoun } from '@riskboard/contract';
import type { OrganizationTransaction } from '@riskboard/db';
import { csvStream } from '../lib/csv-stream.ts';

/** Two example rows of each noun; the second asset depends on the first one. */
const examples: Readonly<Record<ImportNoun, readonly Readonly<Record<string, string>>[]>> = {
  assets: [
    {
      name: 'Customer database',
      description: 'Orders and addresses of all customers.',
      assetTypeId: 'Data',
      criticality: 'Very High',
      confidentialityLevel: '5',
      integrityLevel: '4',
      availabilityLevel: '3',
      replacementCost: '250000',
      recoveryCost: '40000',
      reference: 'CMDB-1001',
      startDate: '2024-03-01',
      isActive: 'Active',
    },
    {
      name: 'Web shop',
      description: 'Public shop; reads and writes the customer database.',
      assetTypeId: 'Software',
      criticality: 'High',
      confidentialityLevel: '3',
      integrityLevel: '3',
      availabilityLevel: '4',
      replacementCost: '80000',
      recoveryCost: '12000',
      reference: 'CMDB-1002',
      startDate: '2025-01-15',
      isActive: 'Active',
      relatedAssets: 'Customer database',
    },
  ],
  vulnerabilities: [
    {
      name: 'Outdated OpenSSL on the web servers',
      description: 'The version in use has a buffer overflow.',
      cveId: 'CVE-2022-3602',
      cwe: 'CWE-120; CWE-787',
      severity: '7.5',
      status: 'open',
      cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H',
      exploitability: '6',
      impact: '7',
      solution: 'Update to 3.0.7 or later.',
      reference: 'SCAN-4711',
      discoveryDate: '2026-01-20',
      isActive: 'Active',
    },
    {
      name: 'Default password of the printers',
      description: 'The administration page accepts the password of the manufacturer.',
      cwe: 'CWE-1392',
      severity: '5',
      status: 'mitigated',
      mitigation: 'The printers are in a network of their own.',
      reference: 'SCAN-4712',
      discoveryDate: '2026-02-03',
      isActive: 'Active',
    },
  ],
};

/** A template that can be imported as it is where a project exists: the newest one is the project of its rows. */
export async function templateOf(trx: OrganizationTransaction, noun: ImportNoun): Promise<Readable> {
  const project = await trx
    .selectFrom('project')
    .select('name')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const { fields } = importEntity(noun);
  const columns = importableFields(noun).map(({ field, label }) => ({
    key: field,
    header: fields[field]?.listLabel ?? label,
  }));
  const rows = examples[noun].map((row) => ({
    ...row,
    ...(noun === 'assets' && { projectId: project?.name ?? 'Name of the project' }),
  }));
  return pipeline(Readable.from(rows), csvStream(columns), () => undefined);
}
