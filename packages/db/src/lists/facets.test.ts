import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../new-id.ts';
import { type OpenDatabase, openClone } from '../test/open.ts';
import { makeOrganization } from '../test/organization.ts';
import { withOrganization } from '../with-organization.ts';
import { facetsOf } from './facets.ts';
import { threatSource } from './threats.ts';

let database: OpenDatabase;
beforeAll(async () => {
  database = await openClone();
});
afterAll(() => database.end());

/** The facet of Threat IDs over threats with these ids. */
async function facetOf(ids: readonly string[], facetSearch?: string) {
  const organizationId = await makeOrganization(database);
  const { facets } = await withOrganization(database, organizationId, async (trx) => {
    const threats = ids.map((threat_id) => ({
      organization_id: organizationId,
      id: newId(),
      name: 'x',
      threat_id,
    }));
    await trx.insertInto('threat').values(threats).execute();
    return facetsOf(trx, threatSource, { field: ['threatID'], facetSearch });
  });
  expect(Object.keys(facets)).toEqual(['threatID']);
  return facets['threatID'];
}

const numbered = (count: number): string[] => Array.from({ length: count }, (_, n) => `T${1000 + n}`);

describe('a facet of texts', () => {
  it('lists the most frequent values first, and equally frequent ones alphabetically', async () => {
    expect(await facetOf(['T2', 'T1', 'T3', 'T3', '', '', ''])).toEqual({
      values: [
        { value: 'N/A', count: 3 },
        { value: 'T3', count: 2 },
        { value: 'T1', count: 1 },
        { value: 'T2', count: 1 },
      ],
      more: false,
    });
  });

  it.each([
    [200, false],
    [201, true],
  ])('of %i values returns at most 200, with more: %s', async (count, more) => {
    const facet = await facetOf(numbered(count));
    expect(facet?.values).toHaveLength(200);
    expect(facet?.more).toBe(more);
  });

  it.each([
    ['t1199', ['T1199']],
    [' T119 ', numbered(200).slice(190)],
    ['n/', ['N/A']],
    ['%', ['a%b']],
    ['_', ['a_b']],
    ['nothing', []],
  ])('finds %j among more than 200 values', async (search, found) => {
    const facet = await facetOf([...numbered(300), 'a%b', 'a_b', ''], search);
    const values = facet?.values.map(({ value }) => value) ?? [];
    expect(values.toSorted()).toEqual(found.toSorted());
    expect(facet?.more).toBe(false);
  });

  it('ignores a blank facetSearch', async () => {
    const facet = await facetOf(numbered(201), ' ');
    expect([facet?.values.length, facet?.more]).toEqual([200, true]);
  });
});
