import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../new-id.ts';
import { type OpenDatabase, openClone } from '../testing/open.ts';
import { withOrganization } from '../with-organization.ts';
import { weaknessFacts } from './weakness-facts.ts';

let database: OpenDatabase;
beforeAll(async () => {
  database = await openClone();
});
afterAll(() => database.end());

const factsOf = (ids: number[]) => withOrganization(database, newId(), (trx) => weaknessFacts(trx, ids));

it('weaknessFacts returns the impacts, likelihood and inherited impacts of the bundled catalogue', async () => {
  const { catalogueVersion, weaknesses } = await factsOf([89, 704, 310, 1_000_000]);
  expect(catalogueVersion).toMatch(/^CWE \d+\.\d+$/u);
  expect(weaknesses.get(89)).toMatchObject({ likelihood: 'High', inheritedFrom: null, note: '' });
  expect(weaknesses.get(89)?.impacts).toContain('Read Application Data');
  expect(weaknesses.get(310)?.note).toContain('is a category');
  expect(weaknesses.get(1_000_000)?.note).toBe(
    `The catalogue ${catalogueVersion} does not know CWE-1000000.`,
  );
});
