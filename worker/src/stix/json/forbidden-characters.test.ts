import { describe, expect, test } from 'vitest';
import { forbiddenCharacters, spoiledObjects } from '../../testing/forbidden-characters.ts';
import { bundle, threat, vulnerability } from '../../testing/stix2.ts';
import { readAll } from '../../testing/test-sink.ts';

const before = vulnerability({ cves: ['CVE-2021-1000'] });
const after = threat({ name: 'Valid name with a pair: \u{1F600}' });

describe.each(forbiddenCharacters)('%s', (_, character, code) => {
  const spoiled = spoiledObjects(character);

  test('at any text position of an object fails this object alone, with its location', async () => {
    expect(spoiled.length).toBeGreaterThan(100);
    const readings = spoiled.map(async ({ position, object }) => {
      const { objects, records } = await readAll(bundle([before, object, after]));
      return {
        position,
        outcomes: objects.map(({ outcome, location }) => `${outcome} ${location}`),
        hasReason: objects[1]?.reason?.includes(`contains ${code}, which cannot be stored`),
        names: records.map(({ name }) => name),
        isStorable: !/\\u(?:0000|d[89a-f])/.test(JSON.stringify(objects)),
      };
    });
    expect(await Promise.all(readings)).toEqual(
      spoiled.map(({ position }) => ({
        position,
        outcomes: ['mapped /objects/0', 'failed /objects/1', 'mapped /objects/2'],
        hasReason: true,
        names: [before['name'], after['name']],
        isStorable: true,
      })),
    );
  });

  test.each([
    ['list', (text: string) => `[${text}]`, '/0'],
    ['envelope', (text: string) => `{"more":false,"objects":[${text}]}`, '/objects/0'],
    ['file of one object', (text: string) => text, ''],
  ])('fails the only object of a %s', async (_wrapper, wrap, location) => {
    // Without its type or its id the object is not STIX, and the file is refused.
    const stix = spoiled.filter(({ position }) => !/^[^:]*: the property name (?:type|id)$/.test(position));
    const readings = stix.map(async ({ position, object }) => {
      const { objects } = await readAll(wrap(JSON.stringify(object)));
      return [position, ...objects.map((found) => `${found.outcome} ${found.location}`)];
    });
    expect(await Promise.all(readings)).toEqual(stix.map(({ position }) => [position, `failed ${location}`]));
  });

  test('in the version of a bundle is replaced, with a warning that the version is unknown', async () => {
    const text = JSON.stringify({
      type: 'bundle',
      spec_version: `2.1${character}`,
      objects: [before, after],
    });
    const { summary, records } = await readAll(text);
    expect(summary.stixVersion).toMatch(/^2\.1\uFFFD+$/);
    expect(summary.warnings.map((warning) => warning.code)).toEqual(['version-unknown']);
    expect(records).toHaveLength(2);
  });

  test('in a property name of a file that is not STIX is replaced in the refusal', async () => {
    const reading = readAll(JSON.stringify({ [`key${character}`]: 1 }));
    await expect(reading).rejects.toThrow(/Not a STIX report: this is JSON with the keys "key\uFFFD+"\./);
  });
});

test('the reason names the position of the text, with the steps of a JSON pointer', async () => {
  const object = vulnerability({ 'a/b~c': [{ '': 'x\0' }], ['y'.repeat(300)]: 'valid' });
  const { objects } = await readAll(bundle([object]));
  expect(objects[0]?.reason).toBe('The text at /a~1b~0c/0/ contains U+0000, which cannot be stored');
});

test('escaped pairs and escaped backslashes before u0000 are no forbidden characters', async () => {
  const name = String.raw`C:\u0000 \ud800`;
  const pair = String.raw`{"type":"malware","id":"malware--1","name":"\ud83d\ude00"}`;
  const { records } = await readAll(`[${JSON.stringify(threat({ name }))},${pair}]`);
  expect(records.map((record) => record.name)).toEqual([name, '\u{1F600}']);
});
