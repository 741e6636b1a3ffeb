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
import type { ListName } from './list-names.ts';

/** The calls that export the lists. */
export const exportCalls = {
  vulnerabilities: vulnerabilities.export,
  threats: threats.export,
  assets: assets.export,
  projects: projects.export,
  files: reports.fileExport,
  jobs: jobs.export,
  activity: activity.export,
  weaknesses: cwe.export,
} as const satisfies Record<ListName, { path: string; query: object }>;

/** The names that the api knows in the query of an export; it ignores others. The format has an option of its own. */
export function filterNames(list: ListName): string[] {
  const { shape } = exportCalls[list].query as { shape?: object };
  return Object.keys(shape ?? {}).filter((name) => name !== 'format');
}
