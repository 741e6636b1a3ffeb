import { expect, test } from 'vitest';
import { extractResultOf } from '../../testing/rows.ts';
import type { Extraction } from './extraction.ts';
import { extractedText, filesDeleted } from './job-toasts.ts';

const nothing = extractResultOf({ records: 0, created: 0 });

test.each<[Extraction, string]>([
  ['vulnerabilities', 'No vulnerabilities in this file.'],
  ['threats', 'No threats in this file.'],
  ['both', 'No vulnerabilities or threats in this file.'],
])('an extraction of %s from a file without them says so: %s', (extraction, text) => {
  expect(extractedText(nothing, extraction)).toBe(text);
});

test('the messages about one record or file are in the singular', () => {
  expect(extractedText(extractResultOf({ created: 1 }), 'threats')).toBe('1 was extracted from the file.');
  expect(extractedText(extractResultOf({ created: 2 }), 'threats')).toBe('2 were extracted from the file.');
  expect(filesDeleted(1)).toEqual(['Files deleted', '1 file was removed.']);
});
