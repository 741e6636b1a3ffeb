import type { OrganizationTransaction } from '@riskboard/db';
import { projectRisk } from '../projects/risk.ts';
import type { ReportTable } from './report.ts';

/** The numbers on the page of a project. @throws Failure 404 */
export async function projectTables(trx: OrganizationTransaction, id: string): Promise<ReportTable[]> {
  const { assets, vulnerabilities, threats } = await projectRisk(trx, id);
  const rows = [
    ['Assets', assets.total],
    ['Assets with the health Critical', assets.byHealth.Critical],
    ['Assets with the health Warning', assets.byHealth.Warning],
    ['Assets with a risk score of 7 or more', assets.byScore.high],
    ['Vulnerabilities', vulnerabilities.total],
    ['Open vulnerabilities', vulnerabilities.open],
    ['Open vulnerabilities, severity Critical', vulnerabilities.bySeverity.critical],
    ['Open vulnerabilities, severity High', vulnerabilities.bySeverity.high],
    ['Threats', threats.total],
    ['Threats with a risk level above 60', threats.byRisk.high],
  ] as const;
  return [
    {
      name: 'numbers',
      title: 'Numbers',
      note: 'Assets of the project, and the threats and vulnerabilities that are related to them.',
      columns: [
        { key: 'name', label: 'Number' },
        { key: 'value', label: 'Value', isNumber: true },
      ],
      rows: rows.map(([name, value]) => ({ name, value })),
      empty: '',
    },
  ];
}
