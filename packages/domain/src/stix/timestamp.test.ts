import { afterEach, describe, expect, test, vi } from 'vitest';
import { readTimestamp, readWrittenTimestamp } from './timestamp.ts';

test.each([
  ['2024-05-06T07:08:09Z', '2024-05-06T07:08:09.000Z'],
  ['2024-05-06T07:08:09.1Z', '2024-05-06T07:08:09.100Z'],
  ['2021-10-21T16:56:05.840605Z', '2021-10-21T16:56:05.840605Z'],
  ['2014-12-22T16:25:25.319000+02:00', '2014-12-22T14:25:25.319Z'],
  ['2014-09-29T14:32:00', '2014-09-29T14:32:00.000Z'],
  ['2020-02-29', '2020-02-29T00:00:00.000Z'],
  ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
  ['2024-02-29T24:00:00Z', '2024-03-01T00:00:00.000Z'],
  ['2024-05-06T07:08:60+00:00', '2024-05-06T07:09:00.000Z'],
  ['9999-12-31T00:00:00Z', '9999-12-31T00:00:00.000Z'],
  ['9999-12-31T23:00:00-02:00', null],
  ['0001-01-01T00:00:00+05:00', null],
  ['0000-01-01T00:00:00Z', null],
  ['2023-02-29T00:00:00Z', null],
  ['2023-01-01T25:00:00Z', null],
  ['+275760-09-13T00:00:00Z', null],
  ['yesterday', null],
])('readTimestamp reads %s as %s', (text, expected) => {
  expect(readTimestamp(text)).toBe(expected);
});

afterEach(() => vi.unstubAllEnvs());

describe.each(['America/Los_Angeles', 'Pacific/Auckland'])(
  'readWrittenTimestamp in a process in %s',
  (zone) => {
    test.each([
      ['2024-05-01T00:00:00Z', '2024-05-01T00:00:00.000Z'],
      ['2024-05-01T23:30:00-08:00', '2024-05-01T23:30:00.000-08:00'],
      ['2024-05-01T00:30:00.1234567+1300', '2024-05-01T00:30:00.123456+13:00'],
      ['2024-05-01T08:00:00', '2024-05-01T08:00:00.000Z'],
      ['2024-05-01', '2024-05-01T00:00:00.000Z'],
      ['2016-12-31T23:59:60Z', '2016-12-31T23:59:59.000Z'],
      ['2023-02-29T00:00:00-08:00', null],
      ['yesterday', null],
    ])('%s is read as %s, with its day unchanged', (text, expected) => {
      vi.stubEnv('TZ', zone);
      expect(readWrittenTimestamp(text)).toBe(expected);
    });
  },
);
