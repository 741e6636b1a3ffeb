import { notAvailable } from '@riskboard/contract';
import { contract } from '@riskboard/contract/schemas';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { newId } from '../new-id.ts';
import { activitySource } from './activity.ts';
import { alertSource } from './alerts.ts';
import { assetSource } from './assets.ts';
import { batchFileSource } from './batch-files.ts';
import { conditionsOf, selected, UnlimitedFilter } from './conditions.ts';
import { importObjectSource } from './import-objects.ts';
import { jobSource } from './jobs.ts';
import { projectSource } from './projects.ts';
import { reportFileSource } from './report-files.ts';
import type { ListSource } from './source.ts';
import { threatSource } from './threats.ts';
import { vignetteSource } from './vignettes.ts';
import { vulnerabilitySource } from './vulnerabilities.ts';
import { weaknessSource } from './weaknesses.ts';

const sources: Readonly<Record<string, ListSource>> = {
  activity: activitySource('owner'),
  alerts: alertSource({ accountId: newId(), owner: true }),
  assets: assetSource,
  batches: batchFileSource,
  cwe: weaknessSource,
  cwss: vulnerabilitySource,
  jobs: jobSource,
  projects: projectSource,
  reports: reportFileSource,
  threats: threatSource,
  vignettes: vignetteSource,
  vulnerabilities: vulnerabilitySource,
};

interface InputSchema {
  properties?: Readonly<Record<string, InputSchema>>;
  allOf?: readonly InputSchema[];
}

const propertiesOf = ({ properties = {}, allOf = [] }: InputSchema): Readonly<Record<string, InputSchema>> =>
  Object.assign({}, properties, ...allOf.map(propertiesOf)) as Readonly<Record<string, InputSchema>>;

/** What an endpoint's query or body accepts, by name. */
const accepted = (schema: z.ZodType | undefined) =>
  schema === undefined ? {} : propertiesOf(z.toJSONSchema(schema, { io: 'input' }) as InputSchema);

/** Parameters that select no rows. */
const others = new Set([
  'page',
  'pageSize',
  'sort',
  'cursor',
  'total',
  'field',
  'facetSearch',
  'format',
  'columns',
]);

interface Filtered {
  source: ListSource | undefined;
  names: string[];
}

/** The filters of every list, facet, export and bulk action, by the name of its endpoint. */
const endpoints = Object.entries(contract).flatMap(([noun, table]) =>
  Object.entries(table as Readonly<Record<string, { query?: z.ZodType; body?: z.ZodType }>>).flatMap(
    ([name, { query, body }]): [string, Filtered][] => {
      const parameters = accepted(query);
      const isList = ['sort', 'facetSearch'].some((one) => Object.hasOwn(parameters, one));
      const { filter } = accepted(body);
      const names = [
        ...(isList ? Object.keys(parameters) : []),
        ...(filter ? Object.keys(propertiesOf(filter)) : []),
      ].filter((one) => !others.has(one));
      const source = name.startsWith('import') ? importObjectSource : sources[noun];
      return names.length === 0 ? [] : [[`${noun}.${name}`, { source, names }]];
    },
  ),
);

it('the endpoints with filters are found', () => {
  const some = ['reports.deleteFiles', 'cwss.calculateMany', 'assets.deleteMany', 'vulnerabilities.list'];
  expect(endpoints.map(([name]) => name)).toEqual(expect.arrayContaining(some));
  expect(endpoints.length).toBeGreaterThan(35);
});

it.each(endpoints)('every filter of %s is a condition on rows', (_endpoint, { source, names }) => {
  if (source === undefined) throw new Error('The test has no source for this list.');
  for (const name of names) {
    const takesSeveral = Object.hasOwn(source.columns, name) || name === 'ids';
    const conditions = conditionsOf(source, { [name]: takesSeveral ? [notAvailable] : '1' });
    expect([name, conditions.length]).toEqual([name, 1]);
  }
});

it('a filter that the list does not handle is an error, also beside others', () => {
  const filter = { parseState: ['failed'], nam: 'a.json' };
  expect(() => conditionsOf(reportFileSource, filter)).toThrow('does not handle the filters nam.');
  expect(() => selected(reportFileSource, { filter })).toThrow('does not handle the filters nam.');
});

describe('a selection of a bulk action', () => {
  it.each([{ parseState: [] }, { search: ' ' }, { name: [] }])(
    'is refused when its filter %j limits no rows',
    (filter) => {
      expect(() => selected(reportFileSource, { filter })).toThrow(UnlimitedFilter);
    },
  );

  it.each([{ filter: {} }, { filter: { parseState: ['failed'] } }, { ids: [newId()] }])(
    'may be %j',
    (selection) => {
      expect(() => selected(reportFileSource, selection)).not.toThrow();
    },
  );
});
