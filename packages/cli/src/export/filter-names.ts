import {
  activity,
  assets,
  cwe,
  jobs,
  projects,
  reports,
  threats,
  vulnerabilities,
} from '@riskboard/contract/schemas';
import type { exportableLists } from './lists.ts';

const queries: Readonly<Record<keyof typeof exportableLists, object>> = {
  vulnerabilities: vulnerabilities.export.query,
  threats: threats.export.query,
  assets: assets.export.query,
  projects: projects.export.query,
  files: reports.fileExport.query,
  jobs: jobs.export.query,
  activity: activity.export.query,
  weaknesses: cwe.export.query,
};

/** The names that the api knows in the query of an export; it ignores others. The format has an option of its own. */
export function filterNames(list: keyof typeof exportableLists): string[] {
  const { shape } = queries[list] as { shape: object };
  return Object.keys(shape).filter((name) => name !== 'format');
}
