import { expect, test } from 'vitest';
import { fileOf, jobOf, parseResultOf } from '../../testing/rows.ts';
import { fileLook, fileSentence, fileStateOf, withParseEnd } from './file-states.ts';

const uploadDate = '2026-11-20T10:00:00.000Z';
const reading = fileOf({
  parseState: 'running',
  uploadDate,
  vulnerabilityRecords: null,
  threatRecords: null,
});
const parse = jobOf({ fileId: reading._id, createdAt: uploadDate, state: 'succeeded' });
const result = { ...parseResultOf({}), stixVersion: '2.0', vulnerabilityRecords: 3, threatRecords: 0 };

test('a file that the list shows as being read has the outcome of its parse when that is known', () => {
  expect(fileStateOf(reading)).toBe('reading');
  const ended = withParseEnd(reading, { ...parse, result });
  expect(fileStateOf(ended)).toBe('ready');
  expect(ended).toMatchObject({ stixVersion: '2.0', vulnerabilityRecords: 3, threatRecords: 0 });
  const error = { code: 'malformed', message: 'Line 3: no end.' };
  const failed = withParseEnd(reading, { ...parse, state: 'failed', error });
  expect(fileStateOf(failed)).toBe('failed');
  expect(failed.parseError).toBe('Line 3: no end.');
});

test('a file that was replaced or read does not have the outcome of an older parse', () => {
  const older = { ...parse, createdAt: '2026-11-20T09:59:59.999Z', result };
  expect(withParseEnd(reading, older)).toBe(reading);
  const read = fileOf({ parseState: 'succeeded', uploadDate });
  expect(withParseEnd(read, { ...parse, state: 'failed' })).toBe(read);
  expect(withParseEnd(reading, { ...parse, state: 'running' })).toBe(reading);
  expect(withParseEnd(reading, undefined)).toBe(reading);
});

test('a report that was read with issues says how many, and is amber', () => {
  const extracted = fileOf({ vulnerabilityCount: 2, threatCount: 1, issues: 12 });
  expect(fileLook(extracted)).toEqual({ word: 'Extracted', tone: 'warning', note: '12 issues' });
  expect(fileLook({ ...extracted, issues: 0 })).toEqual({ word: 'Extracted', tone: 'success', note: '' });
  expect(fileLook(fileOf({ parseState: 'failed', issues: 3 }))).toMatchObject({ tone: 'danger' });
  const ended = withParseEnd(reading, { ...parse, result: { ...result, failed: 2, warnings: 1 } });
  expect(fileLook(ended)).toEqual({ word: 'Ready to extract', tone: 'warning', note: '3 issues' });
});

test('the result of a report is one sentence with its objects and records, or why it failed', () => {
  expect(fileSentence(fileOf({ vulnerabilityCount: 2, threatCount: 1 }))).toBe(
    'Read 8 objects, extracted 3 of 8 active records.',
  );
  expect(fileSentence(fileOf({ parseState: 'failed', parseError: 'Line 3: no end.' }))).toBe(
    'Line 3: no end.',
  );
  expect(fileSentence(reading)).toBeNull();
});
