import { endpoints } from './endpoint.ts';
import { defineList } from './list.ts';
import type { jobSchemas } from './schemas/jobs.ts';

/** What an extraction reads from a report. */
export const extractKinds = ['vulnerabilities', 'threats'] as const;

/** Lists whose rows a bulk job works on, by ids or by the filter of the list's own query. */
export const updateNouns = ['vulnerabilities', 'threats', 'assets'] as const;
/** Lists whose deleted rows are kept in the trash for 30 days. */
export const restorableNouns = [...updateNouns, 'projects'] as const;
export const bulkNouns = [...restorableNouns, 'reports'] as const;

interface JobPhase {
  /** Shown while the phase runs. */
  label: string;
  /** What `done` and `total` of the progress count. */
  unit: 'bytes' | 'objects' | 'records';
}

const standardTries = 3;

interface JobDefinition {
  label: string;
  /** How often a job may run before it fails; absent: `standardTries`. */
  tries?: number;
  /** In their order; the worker reports no other phase. */
  phases: Readonly<Record<string, JobPhase>>;
  /** Field of the result with the number of items that the job processed. */
  amount: string;
  /**
   * A job that waits for servers which users name runs outside the slots of its worker, so that a server that never
   * answers keeps no other job waiting; absent: in a slot.
   */
  needsSlot?: false;
  /** Who may cancel it and run it again, as those who may request it; absent: analysts. */
  access?: { role: 'owner'; sessionOnly?: boolean };
}

/** Every kind of background work; `jobKindSchemas` has the payload and the result of each. */
export const jobKinds = {
  'stix.parse': {
    label: 'Read report',
    phases: {
      reading: { label: 'Reading the file', unit: 'bytes' },
      saving: { label: 'Saving objects', unit: 'objects' },
    },
    amount: 'objects',
  },
  'stix.extract': {
    label: 'Extract data',
    phases: {
      'extracting vulnerabilities': { label: 'Extracting vulnerabilities', unit: 'records' },
      'extracting threats': { label: 'Extracting threats', unit: 'records' },
    },
    amount: 'records',
  },
  'records.delete': {
    label: 'Delete records',
    phases: {
      'deleting vulnerabilities': { label: 'Deleting vulnerabilities', unit: 'records' },
      'deleting threats': { label: 'Deleting threats', unit: 'records' },
      'deleting assets': { label: 'Deleting assets', unit: 'records' },
      'deleting projects': { label: 'Deleting projects', unit: 'records' },
      'deleting reports': { label: 'Deleting reports', unit: 'records' },
    },
    amount: 'matched',
  },
  'records.restore': {
    label: 'Restore records',
    phases: {
      'restoring vulnerabilities': { label: 'Restoring vulnerabilities', unit: 'records' },
      'restoring threats': { label: 'Restoring threats', unit: 'records' },
      'restoring assets': { label: 'Restoring assets', unit: 'records' },
      'restoring projects': { label: 'Restoring projects', unit: 'records' },
    },
    amount: 'matched',
  },
  'records.update': {
    label: 'Change records',
    phases: {
      'changing vulnerabilities': { label: 'Changing vulnerabilities', unit: 'records' },
      'changing threats': { label: 'Changing threats', unit: 'records' },
      'changing assets': { label: 'Changing assets', unit: 'records' },
    },
    amount: 'matched',
  },
  'csv.check': {
    label: 'Check CSV file',
    phases: {
      reading: { label: 'Reading the file', unit: 'bytes' },
      comparing: { label: 'Comparing the rows with existing records', unit: 'records' },
      reporting: { label: 'Saving the report', unit: 'records' },
    },
    amount: 'rows',
  },
  'csv.import': {
    label: 'Import CSV file',
    phases: {
      reading: { label: 'Reading the file', unit: 'bytes' },
      comparing: { label: 'Comparing the rows with existing records', unit: 'records' },
      saving: { label: 'Saving records', unit: 'records' },
    },
    amount: 'rows',
  },
  'csv.undo': {
    label: 'Undo CSV import',
    phases: {
      deleting: { label: 'Deleting created records', unit: 'records' },
      restoring: { label: 'Restoring former values', unit: 'records' },
    },
    amount: 'records',
  },
  'cwss.calculate': {
    label: 'Calculate CWSS',
    phases: {
      reading: { label: 'Reading vulnerabilities', unit: 'records' },
      calculating: { label: 'Calculating scores', unit: 'records' },
      saving: { label: 'Saving scores', unit: 'records' },
    },
    amount: 'matched',
  },
  'cwe.refresh': {
    label: 'Refresh weakness catalogue',
    phases: {
      requesting: { label: 'Requesting the version from MITRE', unit: 'objects' },
      fetching: { label: 'Fetching the catalogue from MITRE', unit: 'bytes' },
      saving: { label: 'Saving the catalogue', unit: 'objects' },
    },
    amount: 'entries',
    access: { role: 'owner' },
  },
  'alerts.evaluate': {
    label: 'Evaluate alert rules',
    tries: 5,
    phases: { evaluating: { label: 'Evaluating the rules', unit: 'records' } },
    amount: 'alerts',
  },
  'webhook.deliver': {
    label: 'Deliver to webhook',
    phases: { sending: { label: 'Sending the message', unit: 'records' } },
    amount: 'delivered',
    needsSlot: false,
    access: { role: 'owner', sessionOnly: true },
  },
  'metrics.recompute': {
    label: 'Check overview numbers',
    phases: {
      comparing: { label: 'Comparing the numbers with the records', unit: 'records' },
    },
    amount: 'checked',
  },
  'organization.delete': {
    label: 'Delete organization',
    tries: 10,
    phases: { deleting: { label: 'Deleting', unit: 'records' } },
    amount: 'deleted',
    access: { role: 'owner', sessionOnly: true },
  },
} as const satisfies Record<string, JobDefinition>;

export type JobKind = keyof typeof jobKinds;
export type PhaseOf<K extends JobKind> = { [P in K]: keyof (typeof jobKinds)[P]['phases'] & string }[K];

/** Processes of a newer version, which run beside this one during an upgrade, may have more kinds. */
export const isJobKind = (kind: string): kind is JobKind => Object.hasOwn(jobKinds, kind);

export const jobKindLabel = (kind: string): string => (isJobKind(kind) ? jobKinds[kind].label : 'Other job');

/** How often a job of this kind may run before it fails. */
export const triesOf = (kind: JobKind): number => (jobKinds[kind] as JobDefinition).tries ?? standardTries;

/** Whether a run of this kind occupies one of the slots of its worker. */
export const needsSlot = (kind: JobKind): boolean => (jobKinds[kind] as JobDefinition).needsSlot ?? true;

/** Who may cancel a job of this kind or run it again. */
export function jobAccess(kind: string): { access: 'analyst' | 'owner'; sessionOnly: boolean } {
  const access = isJobKind(kind) ? (jobKinds[kind] as JobDefinition).access : undefined;
  return { access: access?.role ?? 'analyst', sessionOnly: access?.sessionOnly ?? false };
}

/** The phase that a running job is in; undefined before its first phase. */
export const jobPhase = (kind: string, phase: string): JobPhase | undefined => {
  const phases: Readonly<Record<string, JobPhase>> = isJobKind(kind) ? jobKinds[kind].phases : {};
  return Object.hasOwn(phases, phase) ? phases[phase] : undefined;
};

/** Phases of queued jobs that wait for something other than a worker. */
export const waitingPhases = {
  report: 'waiting for the report to be read',
  batch: 'waiting for the batch to be resumed',
} as const;

export const jobStates = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;

export const jobList = defineList(
  {
    /** The file that it works on; empty for work on records, and once the file is deleted. */
    fileName: { label: 'File', kind: 'text' },
    kind: { label: 'Job', kind: 'choice', values: Object.keys(jobKinds) },
    state: { label: 'State', kind: 'choice', values: jobStates },
    result: { label: 'Result', kind: 'text', sortable: false },
    error: { label: 'Error', kind: 'text', sortable: false },
    /** Seconds of the last run; empty until it has ended. */
    took: { label: 'Duration (seconds)', kind: 'number' },
    /** How often it was started. */
    attempt: { label: 'Attempts', kind: 'number' },
    createdAt: { label: 'Requested', kind: 'time' },
    startedAt: { label: 'Started', kind: 'time' },
    finishedAt: { label: 'Ended', kind: 'time' },
  },
  '-createdAt',
);

export const jobs = endpoints<typeof jobSchemas>()({
  list: {
    method: 'GET',
    path: '/api/jobs',
    access: 'viewer',
  },
  facets: {
    method: 'GET',
    path: '/api/jobs/facets',
    access: 'viewer',
  },
  export: {
    method: 'GET',
    path: '/api/jobs/export',
    access: 'viewer',
  },
  get: {
    method: 'GET',
    path: '/api/jobs/:id',
    access: 'viewer',
  },
  cancel: {
    method: 'POST',
    path: '/api/jobs/:id/cancel',
    access: 'analyst',
  },
  retry: {
    method: 'POST',
    path: '/api/jobs/:id/retry',
    access: 'analyst',
    // A failed deletion of the organization.
    whileDeleting: true,
  },
  restore: {
    method: 'POST',
    path: '/api/jobs/:id/restore',
    access: 'analyst',
  },
});
