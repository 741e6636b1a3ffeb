/** Spec 4. Any may be chosen at any time. */
export const projectStatuses = ['active', 'completed', 'on-hold'] as const;
export type ProjectStatus = (typeof projectStatuses)[number];

const progress = { completed: 100, 'on-hold': 50, active: 75 } as const satisfies Record<
  ProjectStatus,
  number
>;

/** Percent, derived from the status (spec 4, Project status). */
export const projectProgress = (status: ProjectStatus): number => progress[status];

/** Last day that dates have. */
const lastDay = '9999-12-31';

/** The day after a calendar day, YYYY-MM-DD; the last day is its own next. @throws RangeError for another text */
export const dayAfter = (day: string): string =>
  day >= lastDay ? lastDay : new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);

/** Shown at a planned end date that is too early (spec 5, Project). */
export const endTooEarly = 'The planned end date must be at least the day after the start date.';

/** Whether an end is at least the day after a start (spec 5, Project). Both are calendar days, YYYY-MM-DD. */
export const endsAfterStart = (start: string, end: string): boolean => end > start;
