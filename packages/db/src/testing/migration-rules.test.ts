import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  blockingIndexes,
  breakingStatements,
  compatibility,
  otherThanIndexes,
  withoutComments,
} from './migration-rules.ts';

const folder = new URL('../../../../migrations/', import.meta.url);
const runbook = readFileSync(new URL('../../../../docs/operations.md', import.meta.url), 'utf8');
const all = readdirSync(folder)
  .filter((file) => file.endsWith('.sql'))
  .toSorted()
  .map((file) => ({ name: file.replace('.sql', ''), text: readFileSync(new URL(file, folder), 'utf8') }));
/** Files before this rule are published and stay as they are. */
const ruled = all.filter(({ name }) => name >= '0040');

/** Published files whose statements look breaking; the runbook has those that are. */
const known: Readonly<Record<string, 'keeps working' | 'must be stopped'>> = {
  '0005-ingest': 'must be stopped',
  '0006-trust': 'must be stopped',
  '0009-calendar-days': 'keeps working',
  '0010-location': 'must be stopped',
  // The default of a column that the same file adds.
  '0011-access': 'keeps working',
  '0015-column-grants': 'must be stopped',
  '0016-rotated-secrets': 'must be stopped',
  '0030-weakness-catalogue': 'must be stopped',
  // Functions that only triggers call.
  '0035-overview-triggers': 'keeps working',
};

const declared = ({ name, text }: (typeof all)[number]): string | undefined =>
  known[name] ?? compatibility(text);

describe('processes of the previous version', () => {
  it('are named in the header of each migration that drops, renames or requires something: "-- Previous version: keeps working, because …" or "must be stopped: …"', () => {
    const silent = all
      .filter((file) => breakingStatements(file.text).length > 0 && declared(file) === undefined)
      .map(({ name, text }) => [name, breakingStatements(text)]);
    expect(silent).toEqual([]);
  });

  it('that must be stopped before a migration are named in docs/operations.md, section Upgrade', () => {
    const section = /^## Upgrade\n(?<text>.*?)^## /msu.exec(runbook)?.groups?.['text'] ?? '';
    const stopping = all.filter((file) => declared(file) === 'must be stopped').map(({ name }) => name);
    expect(stopping.length).toBeGreaterThan(3);
    expect(stopping.filter((name) => !section.includes(`\`${name}\``))).toEqual([]);
  });

  it.each([
    ['alter table session drop column secret;', ['drops a column: secret']],
    ['alter table a rename column x to y;', ['renames: y']],
    ['alter table a rename to b;', ['renames: b']],
    ['alter table a alter column x type date using x::date;', ['changes the type of a column: x']],
    ['alter table a add x integer not null;', ['requires a value of a new column: x']],
    ['alter table a add column x integer not null default 0, add y text;', []],
    ['drop function used(text);', ['drops a function or view: used']],
    ['drop function used(text); create function used(text) returns text as $$$$;', []],
    ['create table a (x integer not null); -- drop table b', []],
    ['revoke select on account from riskboard_app;', ['revokes a privilege: account']],
  ])('a statement that they may not survive is recognized: %s', (text, expected) => {
    expect(breakingStatements(text)).toEqual(expected);
  });
});

describe('an index', () => {
  it('of a large table is built concurrently, in a file of its own, since migration 0040', () => {
    const blocking = ruled.map(({ name, text }) => [name, blockingIndexes(text)] as const);
    expect(blocking.filter(([, found]) => found.length > 0)).toEqual([]);
  });

  it('that is built concurrently has no other statements beside it, which would not be rolled back with it', () => {
    const mixed = all
      .filter(({ text }) => /\bindex concurrently\b/iu.test(withoutComments(text)))
      .map(({ name, text }) => [name, otherThanIndexes(text)] as const);
    expect(mixed.filter(([, found]) => found.length > 0)).toEqual([]);
  });

  it.each([
    ['create index a on vulnerability (x);', ['a on vulnerability']],
    ['create unique index a on job (x);', ['a on job']],
    ['create index concurrently a on vulnerability (x);', []],
    ['create table asset (x integer); create index a on asset (x);', []],
    ['create index a on invitation (x);', []],
  ])('that blocks writers is recognized: %s', (text, expected) => {
    expect(blockingIndexes(text)).toEqual(expected);
  });

  it('may not share a file with a statement that is not an index', () => {
    const text = 'create index concurrently a on b (c); alter table b add d text;';
    expect(otherThanIndexes(text)).toEqual(['alter table b add d text']);
  });
});
