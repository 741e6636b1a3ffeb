/** The lists that can be exported, as the command line names them. */
export const listNames = [
  'vulnerabilities',
  'threats',
  'assets',
  'projects',
  'files',
  'jobs',
  'activity',
  'weaknesses',
] as const;
export type ListName = (typeof listNames)[number];
