import {
  blankValue,
  type DetailOf,
  type ExtractResult,
  type Field,
  projectEntity,
  type Fields,
  type ParseResult,
  threatEntity,
  type User,
  vulnerabilityEntity,
} from '@riskboard/contract';
import {
  ActivityEntry,
  ImportReport,
  Job,
  Project,
  ReportFile,
  Threat,
  Vulnerability,
} from '@riskboard/contract/schemas';

let lastId = 0;

/** A new identifier; the sequence is the same in every run. */
export function newId(): string {
  lastId += 1;
  return `0199f000-0000-7000-8000-${String(lastId).padStart(12, '0')}`;
}

/** Complete rows for tests, with changes by the test. Parsing makes a fixture fail here if it violates the contract. */
export const jobOf = (change: Partial<Job> = {}): Job =>
  Job.parse({
    _id: newId(),
    kind: 'stix.parse',
    state: 'queued',
    progress: { phase: 'waiting', done: 0, total: 0 },
    fileId: newId(),
    fileName: 'report.json',
    vulnerabilityId: null,
    result: null,
    error: null,
    attempt: 1,
    version: 1,
    createdAt: '2026-11-20T10:00:00.000Z',
    startedAt: null,
    finishedAt: null,
    heartbeatAt: null,
    createdBy: null,
    ...change,
  } satisfies Job);

export const fileOf = (change: Partial<ReportFile> = {}): ReportFile =>
  ReportFile.parse({
    _id: newId(),
    originalFilename: 'report.json',
    stixVersion: '2.1',
    media: 'json',
    uploadDate: '2026-11-20T10:00:00.000Z',
    size: 2048,
    sha256: 'a'.repeat(64),
    parseState: 'succeeded',
    parseError: null,
    vulnerabilityCount: 0,
    threatCount: 0,
    vulnerabilityRecords: 3,
    threatRecords: 5,
    objects: { malware: 5, vulnerability: 3 },
    warnings: [],
    issues: 0,
    incomplete: false,
    ...change,
  } satisfies ReportFile);

export const parseResultOf = (change: Partial<ParseResult> = {}): ParseResult => ({
  stixVersion: '2.1',
  wrapper: 'bundle',
  objects: 10,
  mapped: 8,
  unmapped: 2,
  failed: 0,
  vulnerabilityRecords: 3,
  threatRecords: 5,
  revoked: 0,
  deprecated: 0,
  superseded: 0,
  warnings: 0,
  ...change,
});

export const extractResultOf = (change: Partial<ExtractResult> = {}): ExtractResult => ({
  kinds: ['vulnerabilities'],
  records: 3,
  created: 3,
  updated: 0,
  unchanged: 0,
  skipped: 0,
  byKind: {},
  createdIds: [],
  issues: [],
  ...change,
});

export const importReportOf = (change: Partial<ImportReport> = {}): ImportReport =>
  ImportReport.parse({
    fileId: newId(),
    originalFilename: 'report.json',
    objects: 10,
    mapped: 6,
    unmapped: 2,
    failed: 1,
    superseded: 1,
    records: 7,
    active: 4,
    revoked: 2,
    deprecated: 1,
    byType: [
      { type: 'malware', total: 7, mapped: 6, unmapped: 0, failed: 0, superseded: 1, reason: null },
      {
        type: 'indicator',
        total: 2,
        mapped: 0,
        unmapped: 2,
        failed: 0,
        superseded: 0,
        reason: 'Not extracted.',
      },
      { type: 'vulnerability', total: 1, mapped: 0, unmapped: 0, failed: 1, superseded: 0, reason: null },
    ],
    warnings: [],
    extracted: { vulnerabilities: 0, threats: 4 },
    ...change,
  } satisfies ImportReport);

/** The fields of an entity in a record where nothing was entered. */
export const blankFields = <F extends Fields>({ fields }: { fields: F }): DetailOf<F> =>
  Object.fromEntries(
    Object.entries<Field>(fields).flatMap(([name, field]) =>
      field.list || field.detail ? [[name, blankValue(field)]] : [],
    ),
  ) as DetailOf<F>;

export const vulnerabilityOf = (change: Partial<Vulnerability> = {}): Vulnerability =>
  Vulnerability.parse({
    ...blankFields(vulnerabilityEntity),
    _id: newId(),
    version: 1,
    name: 'Log4Shell',
    severity: 10,
    cveId: 'CVE-2021-44228',
    cwe: ['CWE-502'],
    cvssScore: 10,
    sourceFile: 'report.json',
    createdAt: '2026-11-20T10:00:00.000Z',
    updatedAt: '2026-11-20T10:00:00.000Z',
    ...change,
  } satisfies Vulnerability);

export const threatOf = (change: Partial<Threat> = {}): Threat =>
  Threat.parse({
    ...blankFields(threatEntity),
    _id: newId(),
    version: 1,
    name: 'Emotet',
    threatID: 'S0367',
    kind: 'malware',
    threatTypeId: 1,
    sourceFile: 'report.json',
    createdAt: '2026-11-20T10:00:00.000Z',
    updatedAt: '2026-11-20T10:00:00.000Z',
    ...change,
  } satisfies Threat);

export const projectOf = (change: Partial<Project> = {}): Project =>
  Project.parse({
    ...blankFields(projectEntity),
    _id: newId(),
    name: 'Harbour renewal',
    description: 'Cranes and what steers them.',
    status: 'active',
    progress: 75,
    startDate: '2026-01-05',
    assets: 3,
    threats: 2,
    vulnerabilities: 4,
    createdAt: '2026-11-20T10:00:00.000Z',
    updatedAt: '2026-11-21T10:00:00.000Z',
    createdBy: null,
    updatedBy: 'Ada Lovelace',
    version: 1,
    ...change,
  } satisfies Project);

export const entryOf = (change: Partial<ActivityEntry> = {}): ActivityEntry =>
  ActivityEntry.parse({
    _id: newId(),
    at: '2026-11-20T10:00:00.000Z',
    actor: 'Ada Lovelace <ada@example.org>',
    actorId: newId(),
    action: 'report.uploaded',
    noun: 'reports',
    nounId: newId(),
    name: 'apt1.xml',
    address: '192.0.2.7',
    via: 'session',
    detail: {},
    ...change,
  } satisfies ActivityEntry);

/** A signed-in user, valid by the contract. */
export const userOf = (change: Partial<User> = {}): User => ({
  _id: '0199f000-0000-7000-8000-0000000000a1',
  email: 'ada@example.org',
  firstName: 'Ada',
  lastName: 'Lovelace',
  organization: 'Northwind Energy',
  organizationId: '0199f000-0000-7000-8000-0000000000a2',
  role: 'owner',
  secondFactor: false,
  secondFactorRequired: false,
  ...change,
});
