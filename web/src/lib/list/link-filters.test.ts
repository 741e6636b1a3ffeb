import { defineList } from '@riskboard/contract';
import { expect, it } from 'vitest';
import { unusableFilters } from './link-filters.ts';
import { dataPageSizes, listStateSchema } from './list-state.ts';
import { id } from './search-schema.ts';

const { fields, standard } = defineList(
  {
    name: { label: 'Name', kind: 'text' },
    severity: { label: 'Severity', kind: 'number', values: ['critical', 'high'] },
    cvssScore: { label: 'CVSS', kind: 'number' },
    createdAt: { label: 'Created At', kind: 'time' },
  },
  '-createdAt',
);
const schema = listStateSchema({
  fields,
  standard,
  pageSizes: dataPageSizes,
  extra: { fileId: id, peek: id },
  empty: true,
});
const list = { fields, extra: ['fileId'], schema };

it.each([
  ['no filter', {}, []],
  ['usable filters', { severity: ['critical', 'high'], cvssScoreMin: '7', search: 'log4j' }, []],
  ['a repeated value', { severity: ['high', 'high'] }, []],
  ['an empty value', { severity: '', search: '' }, []],
  ['an unknown value', { severity: 'bogus' }, ['severity']],
  ['an unknown value beside a usable one', { severity: ['high', 'bogus'] }, ['severity']],
  [
    'bounds that are not valid',
    { cvssScoreMin: 'abc', createdAtMax: 'soon' },
    ['cvssScoreMin', 'createdAtMax'],
  ],
  ['an extra filter that is not valid', { fileId: '7' }, ['fileId']],
  ['a search that is too long', { search: 'a'.repeat(201) }, ['search']],
  ['a range of a text', { nameMin: 1 }, ['nameMin']],
  ['the name of a text column', { name: 'log4j' }, ['name']],
  ['unknown names', { severty: 'high', constructor: 'x' }, ['severty', 'constructor']],
  ['an unknown name without a value', { severty: '' }, []],
  ['what is no filter', { page: 'x', pageSize: 7, sort: 'x', view: 'x', peek: 'x' }, []],
])('the unusable filters of a link with %s', (_, search, names) => {
  expect(unusableFilters(list, search)).toEqual(names);
});
