import { expect, test } from 'vitest';
import { extractResultOf } from '../../testing/rows.ts';
import type { Extraction } from './extraction.ts';
import { extractedText } from './job-toasts.ts';

const nothing = extractResultOf({ records: 0, created: 0 });

test.each<[Extraction, string]>([
  ['vulnerabilities', 'No vulnerabilities in this file.'],
  ['threats', 'No threats in this file.'],
  ['both', 'No vulnerabilities or threats in this file.'],
])('an extraction of %s from a file without them says so: %s', (extraction, text) => {
  expect(extractedText(nothing, extraction)).toBe(text);
});
