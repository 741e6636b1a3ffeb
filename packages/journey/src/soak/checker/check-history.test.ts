import { describe, expect, it } from 'vitest';
import {
  type History,
  historyOf,
  type Operation,
  type ReceivedEvent,
  type Stored,
  type StoredFile,
} from '../history.ts';
import { checkHistory, printViolation, type rules } from './check-history.ts';

const nothing: Stored = {
  type: 'stored',
  files: [],
  records: [],
  jobs: [],
  uploadEntries: {},
  orphans: [],
  doubles: [],
  overviewDifferences: [],
};

/** An acknowledged operation that ran from `at` for one millisecond. */
const operation = (at: number, fields: Partial<Operation> & Pick<Operation, 'action'>): Operation => ({
  type: 'operation',
  id: at,
  client: 0,
  subject: 'a.json',
  invokedAt: at,
  endedAt: at + 1,
  outcome: 'acknowledged',
  status: 200,
  ...fields,
});

const file = (fields: Partial<StoredFile> = {}): StoredFile => ({
  id: 'f1',
  name: 'a.json',
  sha256: 'one',
  contentSha256: 'one',
  vulnerabilities: 2,
  threats: 1,
  countedVulnerabilities: 2,
  countedThreats: 1,
  parseState: 'succeeded',
  extractions: 1,
  succeededExtractions: 1,
  ...fields,
});

const history = (
  operations: Operation[],
  stored: Partial<Stored> = {},
  events: ReceivedEvent[] = [],
): History => ({ operations, events, stored: { ...nothing, ...stored } });

const upload = (at: number, sha256: string, fields: Partial<Operation> = {}) =>
  operation(at, { action: 'upload', sha256, ...fields });
const removal = (at: number, fields: Partial<Operation> = {}) =>
  operation(at, { action: 'delete file', ...fields });
const read = (at: number, sha256: string | null) => operation(at, { action: 'read file', sha256 });
const record = (at: number, action: Operation['action'], fields: Partial<Operation> = {}) =>
  operation(at, { action, subject: 'r', recordId: 'r1', ...fields });
const row = { id: 'r1', name: 'r', description: 'x', version: 1 };
const job = { id: 'j1', kind: 'stix.parse', state: 'succeeded', version: 4, attempt: 1, error: null };
const jobEvent: ReceivedEvent = { type: 'event', client: 0, at: 5, noun: 'job', id: 'j1', version: 3 };
const deletedEvent: ReceivedEvent = {
  type: 'event',
  client: 0,
  at: 5,
  noun: 'vulnerability',
  id: 'r1',
  action: 'deleted',
};

interface Case {
  rule: keyof typeof rules;
  what: string;
  passes: History;
  fails: History;
}

const once = { uploadEntries: { one: 1 } };
const cases: Case[] = [
  {
    rule: 'acknowledged files are present',
    what: 'an acknowledged upload is in the database',
    passes: history([upload(1, 'one')], { ...once, files: [file()] }),
    fails: history([upload(1, 'one')], once),
  },
  {
    rule: 'acknowledged files are present',
    what: 'an unknown upload is present or absent, and nothing else is stored',
    passes: history([upload(1, 'one', { outcome: 'unknown' })]),
    fails: history([upload(1, 'one', { outcome: 'unknown' })], {
      files: [file({ sha256: 'half', contentSha256: 'half' })],
    }),
  },
  {
    rule: 'acknowledged files are present',
    what: 'the later of two uploads remains, and either of two at once',
    passes: history([upload(1, 'one', { endedAt: 9 }), upload(2, 'two')], {
      uploadEntries: { one: 1, two: 1 },
      files: [file()],
    }),
    fails: history([upload(1, 'one'), upload(5, 'two')], {
      uploadEntries: { one: 1, two: 1 },
      files: [file()],
    }),
  },
  {
    rule: 'acknowledged files are present',
    what: 'a deleted file is absent, unless the deletion is unknown',
    passes: history([upload(1, 'one'), removal(5, { outcome: 'unknown' })], { ...once, files: [file()] }),
    fails: history([upload(1, 'one'), removal(5)], { ...once, files: [file()] }),
  },
  {
    rule: 'acknowledged files are present',
    what: 'a read after an acknowledged upload finds it',
    passes: history([upload(1, 'one'), read(3, 'one')], { ...once, files: [file()] }),
    fails: history([upload(1, 'one'), read(3, null)], { ...once, files: [file()] }),
  },
  {
    rule: 'stored files are whole',
    what: 'the stored bytes are the uploaded ones',
    passes: history([], { files: [file()] }),
    fails: history([], { files: [file({ contentSha256: 'half' })] }),
  },
  {
    rule: 'an upload happens once',
    what: 'one acknowledged and one unknown upload of the same bytes happen once or twice',
    passes: history([upload(1, 'one', { outcome: 'unknown' }), upload(5, 'one')], {
      uploadEntries: { one: 2 },
      files: [file()],
    }),
    fails: history([upload(1, 'one')], { uploadEntries: { one: 2 }, files: [file()] }),
  },
  {
    rule: 'an upload happens once',
    what: 'a refused upload changes nothing',
    passes: history([upload(1, 'one', { outcome: 'failed', status: 422 })]),
    fails: history([upload(1, 'one', { outcome: 'failed', status: 422 })], once),
  },
  {
    rule: 'acknowledged records are present',
    what: 'a created record exists once',
    passes: history([record(1, 'create record')], { records: [row] }),
    fails: history([record(1, 'create record')], { records: [row, { ...row, id: 'r2' }] }),
  },
  {
    rule: 'acknowledged records are present',
    what: 'a deleted record does not exist',
    passes: history([record(1, 'create record'), record(5, 'delete record')]),
    fails: history([record(1, 'create record'), record(5, 'delete record')], { records: [row] }),
  },
  {
    rule: 'versions are linear',
    what: 'of two edits of one version only one succeeds',
    passes: history(
      [
        record(1, 'edit record', { base: 1, version: 2 }),
        record(1, 'edit record', { base: 1, outcome: 'failed', status: 412 }),
      ],
      { records: [{ ...row, version: 2 }] },
    ),
    fails: history(
      [record(1, 'edit record', { base: 1, version: 2 }), record(1, 'edit record', { base: 1, version: 2 })],
      { records: [{ ...row, version: 2 }] },
    ),
  },
  {
    rule: 'versions are linear',
    what: 'a version has one value',
    passes: history([record(1, 'read record', { version: 1, value: 'x' })], { records: [row] }),
    fails: history([
      record(1, 'edit record', { base: 1, version: 2, value: 'x' }),
      record(5, 'read record', { version: 2, value: 'y' }),
    ]),
  },
  {
    rule: 'versions are linear',
    what: 'a later read has no older version',
    passes: history([
      record(1, 'read record', { version: 2, endedAt: 9 }),
      record(5, 'read record', { version: 1 }),
    ]),
    fails: history([record(1, 'read record', { version: 2 }), record(5, 'read record', { version: 1 })]),
  },
  {
    rule: 'versions are linear',
    what: 'an acknowledged edit is not lost',
    passes: history([record(1, 'edit record', { base: 1, version: 2, value: 'x' })], {
      records: [{ ...row, version: 3, description: 'later' }],
    }),
    fails: history([record(1, 'edit record', { base: 1, version: 2, value: 'x' })], {
      records: [{ ...row, description: 'before' }],
    }),
  },
  {
    rule: 'versions are linear',
    what: 'a deleted record is not read again',
    passes: history([record(1, 'delete record'), record(5, 'read record', { version: null })]),
    fails: history([record(1, 'delete record'), record(5, 'read record', { version: 1 })]),
  },
  {
    rule: 'no job is stuck',
    what: 'every job has ended',
    passes: history([], { jobs: [job, { ...job, id: 'j2', state: 'failed', error: 'gave_up' }] }),
    fails: history([], { jobs: [{ ...job, state: 'queued' }] }),
  },
  {
    rule: 'no job is stuck',
    what: 'the job of an acknowledged request exists unless its file was deleted',
    passes: history([operation(1, { action: 'extract', jobId: 'j1' }), removal(5)]),
    fails: history([operation(1, { action: 'extract', jobId: 'j1' })]),
  },
  {
    rule: 'nothing is double',
    what: 'a name has one file',
    passes: history([], { files: [file(), file({ id: 'f2', name: 'b.json' })] }),
    fails: history([], { files: [file(), file({ id: 'f2', name: 'A.json' })] }),
  },
  {
    rule: 'nothing is double',
    what: 'an extraction is logged once',
    passes: history([], { files: [file()] }),
    fails: history([], { files: [file({ extractions: 2 })] }),
  },
  {
    rule: 'counters equal a recount',
    what: 'the counters of a file are the numbers of its rows',
    passes: history([], { files: [file()] }),
    fails: history([], { files: [file({ countedVulnerabilities: 1 })] }),
  },
  {
    rule: 'counters equal a recount',
    what: 'no row lacks the row that it belongs to, and the overview is right',
    passes: history([]),
    fails: history([], { orphans: ['content c1 belongs to no file'] }),
  },
  {
    rule: 'reads are as new as the events before them',
    what: 'a read after an event of a job has its version',
    passes: history([operation(6, { action: 'read job', subject: 'j1', version: 3 })], { jobs: [job] }, [
      jobEvent,
    ]),
    fails: history([operation(6, { action: 'read job', subject: 'j1', version: 2 })], { jobs: [job] }, [
      jobEvent,
    ]),
  },
  {
    rule: 'reads are as new as the events before them',
    what: 'a record is not found after the event of its deletion',
    passes: history([record(3, 'read record', { version: 1 })], {}, [deletedEvent]),
    fails: history([record(6, 'read record', { version: 1 })], {}, [deletedEvent]),
  },
  {
    rule: 'no internal errors',
    what: 'an unavailable database is 503',
    passes: history([read(1, null), operation(5, { action: 'read file', outcome: 'unknown', status: 503 })]),
    fails: history([operation(5, { action: 'read file', outcome: 'unknown', status: 500 })]),
  },
];

describe('the checker of a soak run', () => {
  it.each(cases)('$rule: $what', ({ rule, passes, fails }) => {
    expect(checkHistory(passes)).toEqual([]);
    expect([...new Set(checkHistory(fails).map((violation) => violation.rule))]).toEqual([rule]);
  });

  it('prints the rule and the operations that show a violation', () => {
    const [violation] = checkHistory(history([upload(1, 'one')], once));
    const text = violation ? printViolation(violation) : '';
    expect(text.split('\n')[0]).toMatch(
      /^acknowledged files are present: The database has no file for a\.json/u,
    );
    expect(text).toContain('"action":"upload"');
  });

  it('refuses a history without the final state', () => {
    expect(() => historyOf([upload(1, 'one')])).toThrow('ends before the final state');
  });
});
