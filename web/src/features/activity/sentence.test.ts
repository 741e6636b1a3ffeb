import { ActivityEntry } from '@riskboard/contract/schemas';
import { describe, expect, it } from 'vitest';
import { entryOf, newId } from '../../testing/rows.ts';
import { actionLabel, changesOf, fieldLabel, fieldValue, sentenceOf } from './sentence.ts';

const textOf = (change: Partial<ActivityEntry>): string => {
  const { verb, thing, tail } = sentenceOf(entryOf(change));
  return [verb, thing, tail].filter((part) => part !== '').join(' ');
};

describe('the sentence of an activity entry', () => {
  it.each<[string, Partial<ActivityEntry>]>([
    ['logged in', { action: 'account.signed-in', name: 'Ada <ada@example.org>' }],
    ['failed to log in as Ada', { action: 'account.sign-in-failed', name: 'Ada <ada@example.org>' }],
    ['ended 3 sessions of their own', { action: 'account.sessions-ended', detail: { ended: 3 } }],
    [
      'created the API token nightly as viewer',
      { action: 'token.created', name: 'nightly', detail: { role: 'viewer' } },
    ],
    [
      'invited ben@example.org as analyst',
      { action: 'member.invited', name: 'ben@example.org', detail: { role: 'analyst' } },
    ],
    [
      'changed the role of Ben from viewer to analyst',
      {
        action: 'member.role-changed',
        name: 'Ben <ben@example.org>',
        detail: { changes: { role: { from: 'viewer', to: 'analyst' } } },
      },
    ],
    ['removed Ben from the organization', { action: 'member.removed', name: 'Ben <ben@example.org>' }],
    ['uploaded apt1.xml (2 KB)', { action: 'report.uploaded', detail: { size: 2048 } }],
    [
      'deleted apt1.xml with 1 vulnerability and 1,200 threats',
      { action: 'report.deleted', detail: { vulnerability: 1, threat: 1200 } },
    ],
    [
      'deleted apt1.xml with 2 threats',
      { action: 'report.deleted', detail: { vulnerability: 0, threat: 2 } },
    ],
    [
      'removed 7 vulnerabilities and 1 threat no longer in apt1.xml',
      { action: 'report.records-removed', detail: { vulnerability: 7, threat: 1 } },
    ],
    ['changed 3 threats', { action: 'threat.updated-many', name: '3 threats', detail: { count: 3 } }],
    [
      'calculated the CWSS score of Log4Shell (71.3 of 100 with Web shop, version 2)',
      {
        action: 'vulnerability.scored',
        name: 'Log4Shell',
        detail: { score: 71.3, vignette: 'Web shop', version: 2 },
      },
    ],
    [
      'calculated CWSS scores of 12 vulnerabilities with Web shop, version 2',
      {
        action: 'vulnerability.scored-many',
        name: '12 vulnerabilities',
        detail: { count: 12, vignette: 'Web shop', version: 2 },
      },
    ],
    [
      'calculated CWSS scores of 12 vulnerabilities with Web shop, Hospital',
      {
        action: 'vulnerability.scored-many',
        name: '12 vulnerabilities',
        detail: { count: 12, vignette: 'Web shop, Hospital' },
      },
    ],
    ['set CWSS factors of Log4Shell', { action: 'vulnerability.factors-changed', name: 'Log4Shell' }],
    [
      'changed the vignette Web shop (version 3)',
      { action: 'vignette.updated', name: 'Web shop', detail: { version: 3 } },
    ],
    ...(['vulnerability', 'threat', 'asset', 'project'] as const).flatMap(
      (noun): [string, Partial<ActivityEntry>][] => [
        [
          'deleted 1,699 records',
          { action: `${noun}.deleted`, nounId: null, name: '1,699 records', detail: { count: 1699 } },
        ],
        [
          'restored 1 record',
          { action: `${noun}.restored`, nounId: null, name: '1 record', detail: { count: 1 } },
        ],
        [
          `deleted the ${noun} Crane`,
          { action: `${noun}.deleted`, nounId: newId(), name: 'Crane', detail: { count: 1 } },
        ],
      ],
    ),
    [
      'deleted 2 projects with 1,200 assets',
      {
        action: 'project.deleted',
        nounId: null,
        name: '2 projects',
        detail: { count: 2, assets: 1200 },
      },
    ],
    [
      'uploaded the CSV file of assets racks.csv (2 KB)',
      { action: 'asset.import-uploaded', nounId: null, name: 'racks.csv', detail: { size: 2048 } },
    ],
    [
      'deleted the CSV file of vulnerabilities scan.csv',
      { action: 'vulnerability.import-deleted', nounId: null, name: 'scan.csv', detail: {} },
    ],
    ['downloaded apt1.xml', { action: 'report.downloaded', detail: { form: 'original' } }],
    [
      'downloaded the import report of apt1.xml',
      { action: 'report.downloaded', detail: { form: 'import report' } },
    ],
    [
      'requested the extraction of vulnerabilities and threats from apt1.xml',
      { action: 'report.extraction-requested', detail: { kinds: ['vulnerabilities', 'threats'] } },
    ],
    [
      'extracted threats from apt1.xml (1,693 created, 1 skipped)',
      {
        action: 'report.extracted',
        detail: { kinds: ['threats'], created: 1693, updated: 0, unchanged: 0, skipped: 1 },
      },
    ],
    [
      'cancelled the job “Read report” of apt1.xml',
      { action: 'job.cancelled', detail: { kind: 'stix.parse' } },
    ],
    [
      'ran the job “Delete organization” again',
      { action: 'job.retried', name: '', detail: { kind: 'organization.delete' } },
    ],
  ])('%s', (text, change) => {
    expect(textOf(change)).toBe(text);
  });

  it.each<[string, Partial<ActivityEntry>]>([
    ['archived the project Harbour', { action: 'project.archived', name: 'Harbour' }],
    ['risk raised the asset Crane', { action: 'asset.risk-raised', name: 'Crane' }],
    ['something new apt1.xml', { action: 'something-new' }],
    ['constructor apt1.xml', { action: 'constructor' }],
  ])('%s is described although it has no text of its own', (text, change) => {
    expect(textOf(change)).toBe(text);
  });

  it.each<[string, ActivityEntry['detail']]>([
    ['nothing', {}],
    [
      'what is no text, number or list',
      { role: 7, ended: '3', size: 'big', kinds: 'all', vulnerability: null },
    ],
    ['changes that are invalid', { changes: 'role' }],
    ['changes without a before', { changes: { role: { to: 'owner' }, name: null } }],
  ])('is described when its detail contains %s', (_what, detail) => {
    for (const action of [
      'member.role-changed',
      'account.sessions-ended',
      'report.uploaded',
      'report.deleted',
    ])
      expect(textOf({ action, detail })).not.toMatch(/undefined|null|NaN|object/u);
    expect(textOf({ action: 'report.extracted', detail })).toBe('extracted data from apt1.xml');
    expect(changesOf(entryOf({ action: 'asset.updated', detail }))).toEqual([]);
  });
});

it('the list of changes omits those that the sentence contains', () => {
  const detail = { changes: { role: { from: 'viewer', to: 'owner' }, name: { from: 'a', to: 'b' } } };
  expect(changesOf(entryOf({ action: 'member.role-changed', detail }))).toEqual([
    ['name', { from: 'a', to: 'b' }],
  ]);
  expect(changesOf(entryOf({ action: 'asset.updated', detail })).map(([field]) => field)).toEqual([
    'role',
    'name',
  ]);
});

it('actions and fields have readable names', () => {
  expect(actionLabel('report.extraction-requested')).toBe('Report extraction requested');
  expect(actionLabel('account.signed-in')).toBe('Logged in');
  expect(actionLabel('account.sign-in-failed')).toBe('Login failed');
  expect(fieldLabel('organizations', 'requireSecondFactor')).toBe('Require second factor');
  expect(fieldLabel('organizations', 'cwe79Score')).toBe('Cwe79 score');
});

it.each([
  ['vulnerabilities', 'categoryId', 4, 'Category', 'Configuration'],
  ['vulnerabilities', 'status', 'fixed', 'Status', 'Fixed'],
  ['vulnerabilities', 'fixDate', '2026-11-20T12:00:00.000Z', 'Fix date', 'Nov 20, 2026'],
  ['vulnerabilities', 'relatedAssets', ['Crane', 'Gate'], 'Related assets', 'Crane, Gate'],
  ['vulnerabilities', 'FC', 'LT', 'Finding Confidence', 'Proven Locally True'],
  ['vulnerabilities', 'EC', 'Q 0.75', 'External Control Effectiveness', 'Quantified 0.75'],
  ['vulnerabilities', 'EC', null, 'External Control Effectiveness', ''],
  ['vulnerabilities', 'EC reason', 'LT', 'Reason for External Control Effectiveness', 'LT'],
  ['threats', 'likelihood', 4, 'Likelihood', 'High'],
  ['threats', 'mitigationStrategy', 'Two keepers.', 'Compensating Controls', 'Two keepers.'],
  ['threats', 'likelihood', null, 'Likelihood', ''],
  ['organizations', 'requireSecondFactor', true, 'Require second factor', 'yes'],
])('%s: the field %s with value %j is shown as on its page', (noun, field, value, label, text) => {
  expect([fieldLabel(noun, field), fieldValue(noun, field, value)]).toEqual([label, text]);
});
