import {
  activity,
  assets,
  cwe,
  jobs,
  projects,
  reports,
  threats,
  vulnerabilities,
} from '@riskboard/contract';

/** The lists that can be exported, by the name in the command line, with their paths. */
export const exportableLists = {
  vulnerabilities: vulnerabilities.export.path,
  threats: threats.export.path,
  assets: assets.export.path,
  projects: projects.export.path,
  files: reports.fileExport.path,
  jobs: jobs.export.path,
  activity: activity.export.path,
  weaknesses: cwe.export.path,
} as const satisfies Record<string, string>;
