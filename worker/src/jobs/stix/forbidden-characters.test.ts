import { afterAll, beforeAll, expect, it } from 'vitest';
import { forbiddenCharacters, spoiledObjects } from '../../testing/forbidden-characters.ts';
import { checkExtraction, checkImportReport } from '../../testing/import-report.ts';
import { listedObjects } from '../../testing/listed-objects.ts';
import { bundle, object, vulnerability } from '../../testing/stix2.ts';
import { openHarnessDatabase, type HarnessDatabase } from '../../testing/test-harness.ts';

let harnesses: HarnessDatabase;
beforeAll(async () => {
  harnesses = await openHarnessDatabase();
});
afterAll(() => harnesses.close());

it.each(forbiddenCharacters)(
  '%s at every text position: only the objects that contain it fail, all others are stored',
  async (_what, character) => {
    const harness = await harnesses.open();
    const spoiled = spoiledObjects(character).map((item) => item.object);
    const valid = spoiled.map((_, n) => vulnerability({ cves: [`CVE-2022-${1000 + n}`] }));
    const { fileId, parseJobId } = await harness.read(
      'a.json',
      bundle(spoiled.flatMap((item, n) => [item, valid[n] ?? item])),
    );
    expect(await harness.job(parseJobId)).toMatchObject({ state: 'succeeded', tries: 1 });
    await checkImportReport(harness, fileId);
    const listed = await listedObjects(harness);
    expect(listed.map(({ outcome, location }) => ({ outcome, location }))).toEqual(
      spoiled.map((_, n) => ({ outcome: 'failed', location: `/objects/${2 * n}` })),
    );
    const extracted = await checkExtraction(harness, await harness.extract(fileId));
    expect(extracted).toMatchObject({ created: valid.length });
  },
);

it.each([
  ['version', { spec_version: '2.1\0' }, 'succeeded', null],
  ['id', { id: 'bundle--\uD800' }, 'succeeded', null],
  ['custom property', { 'x_\uDFFF': ['\0'] }, 'succeeded', null],
  ['type', { type: 'bundle\0', 'x\0': 1 }, 'failed', 'not-stix'],
])('a forbidden character in the %s of a bundle does not stop the job', async (_what, root, state, code) => {
  const harness = await harnesses.open();
  const content = JSON.stringify({ type: 'bundle', objects: [vulnerability()], ...root });
  const { parseJobId } = await harness.read('a.json', content);
  expect(await harness.job(parseJobId)).toMatchObject({ state, error_code: code, tries: 1 });
});

it('a type and a name of many kilobytes are stored in part', async () => {
  const harness = await harnesses.open();
  const long = Array.from({ length: 20_000 }, (_, n) => (n * 7919).toString(36)).join('');
  const { fileId, parseJobId } = await harness.read('a.json', bundle([object(long), vulnerability()]));
  expect(await harness.job(parseJobId)).toMatchObject({ state: 'succeeded' });
  await checkImportReport(harness, fileId);
});
