import {
  NewThreat,
  NewVulnerability,
  reports,
  threatListSchemas,
  views,
  vignettes,
} from '@riskboard/contract/schemas';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { validationMessage } from './validation-messages.ts';

/** The validation messages of a value, by field. */
function said(schema: z.ZodType, value: unknown): Record<string, string> {
  const { error } = schema.safeParse(value, { error: validationMessage });
  return Object.fromEntries(error?.issues.map((issue) => [issue.path.join('.'), issue.message]) ?? []);
}

describe('the validation message', () => {
  it.each<[string, z.ZodType, unknown, Record<string, string>]>([
    ['nothing given', NewThreat, {}, { name: 'This is required.', description: 'This is required.' }],
    ["a field's own messages", NewThreat, { name: ' ', description: 'd' }, { name: 'Enter a name.' }],
    ['an invisible name', NewThreat, { name: '\u2060\uFEFF', description: 'd' }, { name: 'Enter a name.' }],
    [
      'an invisible name of a vignette',
      vignettes.create.body.pick({ name: true }),
      { name: '\u00AD' },
      { name: 'Enter a name.' },
    ],
    [
      'an invisible name of a view',
      views.create.body.pick({ name: true }),
      { name: '\u200B' },
      { name: 'Enter a name.' },
    ],
    [
      'a number as a text',
      NewThreat,
      { name: 'n', description: 'd', riskLevel: '50', motivation: 4, relatedAssets: 'x' },
      {
        riskLevel: 'Enter a number from 0 to 100.',
        motivation: 'Must be 3 or less.',
        relatedAssets: 'Send a list.',
      },
    ],
    [
      'an unknown status',
      NewVulnerability,
      { name: 'n', description: 'd', severity: 0, status: 'closed', isActive: 'yes' },
      {
        severity: 'Must be 1 or more.',
        status: 'Use one of open, mitigated, fixed, accepted.',
        isActive: 'Send true or false.',
      },
    ],
    ['no selection', reports.deleteFiles.body, { ids: [] }, { ids: 'Choose at least one.' }],
    ['no id', reports.extractThreat.body, { id: 'x' }, { id: 'Invalid ID.' }],
    ['no object', reports.extractThreat.body, [], { '': 'Send a JSON object.' }],
    [
      'a query',
      threatListSchemas.query,
      {
        page: 'two',
        pageSize: '501',
        riskLevelMin: 'low',
        createdAtMin: 'soon',
        fileId: 'x',
        isActive: 'maybe',
      },
      {
        page: 'Enter a number.',
        pageSize: 'Must be 500 or less.',
        riskLevelMin: 'Enter a number.',
        createdAtMin: 'Enter a date.',
        fileId: 'Invalid ID.',
        isActive: 'Use one of true, false, N/A.',
      },
    ],
    [
      'lists of a query that are too long',
      threatListSchemas.query,
      {
        ids: Array.from({ length: 201 }, () => '019ac000-0000-7000-8000-000000000000'),
        isActive: Array.from({ length: 201 }, () => 'true'),
      },
      { ids: 'Use at most 200 entries.', isActive: 'Use at most 200 entries.' },
    ],
    [
      'a typo in a filter',
      threatListSchemas.selection,
      { filter: { riskk: ['high'] } },
      { filter: 'Unknown: riskk.' },
    ],
    ['a text that is too long', z.string().max(200), 'x'.repeat(201), { '': 'Use at most 200 characters.' }],
    ['one value only', z.literal('N/A'), 'x', { '': 'Use N/A.' }],
    ['an empty text', z.string().min(1), '', { '': 'This must not be empty.' }],
  ])('of %s', (_what, schema, value, messages) => {
    expect(said(schema, value)).toEqual(messages);
  });
});
