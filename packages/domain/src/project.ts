/** Spec 4. Any may be chosen at any time. */
export const projectStatuses = ['active', 'completed', 'on-hold'] as const;
export type ProjectStatus = (typeof projectStatuses)[number];

const progress = { completed: 100, 'on-hold': 50, active: 75 } as const satisfies Record<
  ProjectStatus,
  number
>;

/** Percent, derived from the status (spec 4, Project status). */
export const projectProgress = (status: ProjectStatus): number => progress[status];

/** Whether an end is at least the day after a start (spec 5, Project). Both are calendar days, YYYY-MM-DD. */
export const endsAfterStart = (start: string, end: string): boolean => end > start;
