import { describe, expect, test } from 'vitest';
import { bundle, bundle20, object, threat, vulnerability } from '../../testing/stix2.ts';
import { readAll } from '../../testing/test-sink.ts';

const actor = threat({ name: 'Ada' }, 'threat-actor');
const malware = threat({ name: 'Bran' });
const hole = vulnerability({ cves: ['CVE-2021-1000'] });
const envelope = (...objects: unknown[]): string => JSON.stringify({ more: true, objects });

const seen = async (text: string) => {
  const { objects, summary, records } = await readAll(text, 16);
  return {
    objects: objects.map(({ outcome, location }) => `${outcome} ${location}`),
    names: records.map(({ name, stixVersion }) => `${name} ${stixVersion ?? ''}`.trim()),
    wrapper: summary.wrapper,
    stixVersion: summary.stixVersion,
    warnings: summary.warnings.map(({ code, location }) => `${code} ${location ?? ''}`.trim()),
  };
};

describe('a list of bundles, envelopes and objects', () => {
  test('is read as the list of their objects, each with its location', async () => {
    const text = `[${bundle([actor, hole])}, ${envelope(malware)}, ${JSON.stringify(hole)}, ${bundle20([malware])}]`;
    expect(await seen(text)).toEqual({
      objects: [
        'mapped /0/objects/0',
        'mapped /0/objects/1',
        'mapped /1/objects/0',
        'mapped /2',
        'mapped /3/objects/0',
      ],
      names: ['Ada 2.1', 'CVE-2021-1000 2.1', 'Bran 2.1', 'CVE-2021-1000 2.1', 'Bran 2.0'],
      wrapper: 'object-list',
      stixVersion: '2.0,2.1',
      warnings: ['incomplete-page /1'],
    });
  });

  test('whose elements are unusable fails these elements alone', async () => {
    const unusable = ['{"type":"bundle","objects":{}}', '5', 'null', '[]', '{"type":"tool"}'];
    const { objects, summary } = await readAll(`[${unusable.join(',')},${bundle([actor])}]`);
    expect(objects.map(({ outcome, location, reason }) => [outcome, location, reason])).toEqual([
      ['failed', '/0', 'Malformed STIX: "objects" must be a list, not an object'],
      ['failed', '/1', 'The list contains a value that is not an object'],
      ['failed', '/2', 'The list contains a value that is not an object'],
      ['failed', '/3', 'The list contains a value that is not an object'],
      ['failed', '/4', 'The object has no id'],
      ['mapped', '/5/objects/0', null],
    ]);
    expect(summary).toMatchObject({ objectTotal: 6, mapped: 1, failed: 5 });
  });

  test('fails a bundle inside a bundle or envelope, with the number of its objects', async () => {
    const inner = object('bundle', { objects: [actor, hole] });
    const { objects, summary } = await readAll(`[${bundle([malware, inner])},${envelope(inner)}]`);
    const reason =
      'A bundle inside a bundle or envelope is not read. It contains 2 objects: upload it as a separate file';
    expect(objects.map((one) => [one.type, one.outcome, one.location, one.reason])).toEqual([
      ['malware', 'mapped', '/0/objects/0', null],
      ['bundle', 'failed', '/0/objects/1', reason],
      ['bundle', 'failed', '/1/objects/0', reason],
    ]);
    expect(summary).toMatchObject({ objectTotal: 3, mapped: 1, unmapped: 0, failed: 2 });
  });

  test('with an object of a STIX type that has a property "objects" keeps that object whole', async () => {
    const flow = object('x-flow', { objects: [{ type: 'tool', id: 'tool--1' }] });
    const observed = object('observed-data', { objects: { 0: { type: 'file' } } });
    expect((await seen(`[${JSON.stringify(flow)},${JSON.stringify(observed)}]`)).objects).toEqual([
      'unmapped /0',
      'unmapped /1',
    ]);
  });

  test('with a bundle of more than 32 MiB is read', { timeout: 30_000 }, async () => {
    const large = threat({ x: 'x'.repeat(9 * 1024 * 1024) });
    const { summary } = await readAll(`[${bundle([large, large, large, large])}]`);
    expect(summary).toMatchObject({ objectTotal: 4, mapped: 4 });
  });

  test('without any STIX object is refused', async () => {
    await expect(readAll('[{"a":1},{"objects":[{"b":2}]}]')).rejects.toMatchObject({ code: 'not-stix' });
  });

  test('that is one of several in a file is malformed where the second begins', async () => {
    await expect(readAll(`${bundle([actor])}\n${bundle([malware])}`)).rejects.toMatchObject({
      code: 'malformed',
      message: expect.stringContaining('several JSON documents') as string,
      location: 'line 2, column 1',
    });
  });

  test('of a TAXII manifest is named', async () => {
    const entry = { id: actor.id, date_added: '2024-01-01T00:00:00Z', version: '2024-01-01T00:00:00Z' };
    await expect(readAll(envelope(entry))).rejects.toMatchObject({
      code: 'not-stix',
      message: expect.stringContaining('this is a TAXII 2.x manifest, which has the ids') as string,
    });
  });
});

test.each([
  [true, true],
  ['true', true],
  [false, false],
  ['false', false],
])('an envelope with "more": %j has more pages: %s', async (more, isIncomplete) => {
  const { warnings } = await seen(JSON.stringify({ more, objects: [malware] }));
  expect(warnings).toEqual(isIncomplete ? ['incomplete-page'] : []);
});

describe('an unknown version that an object states has a warning', () => {
  const unknown = { ...malware, spec_version: '9.9' };
  const silent = { ...malware, spec_version: undefined };
  test.each([
    ['in a bundle', JSON.stringify({ type: 'bundle', id: 'bundle--1', objects: [unknown] }), '/objects/0'],
    ['beside others', bundle([malware, silent, unknown]), '/objects/2'],
    ['in an envelope', JSON.stringify({ objects: [unknown] }), '/objects/0'],
    ['in a list', JSON.stringify([malware, unknown]), '/1'],
    ['as the whole file', JSON.stringify(unknown), ''],
  ])('%s', async (_where, text, location) => {
    const { summary } = await readAll(text);
    expect(summary.warnings).toMatchObject([{ code: 'version-unknown', count: 1 }]);
    expect(summary.warnings[0]?.location ?? '').toBe(location);
  });
});

describe('an empty answer is accepted with the warning nothing-to-extract', () => {
  test.each([
    ['{}', 'taxii2.1-envelope'],
    ['{"more":false}', 'taxii2.1-envelope'],
    ['{"more":false,"next":"a"}', 'taxii2.1-envelope'],
    ['{"objects":[]}', 'taxii2.1-envelope'],
    ['[]', 'object-list'],
    [' [ ] ', 'object-list'],
    ['[{}]', 'object-list'],
    ['[{"more":false},{"objects":[]}]', 'object-list'],
    ['[{"type":"bundle","id":"bundle--1"}]', 'object-list'],
    ['{"type":"bundle","id":"bundle--1"}', 'bundle'],
  ])('%s', async (text, wrapper) => {
    const result = { objects: [], names: [], wrapper, stixVersion: null, warnings: ['nothing-to-extract'] };
    expect(await seen(text)).toEqual(result);
  });
});

describe('"objects" that is not a list is refused with its line and column', () => {
  test.each([
    ['{"type":"bundle",\n"objects":{}}', 'an object (line 2, column 11)'],
    ['{"objects":"x","type":"bundle"}', 'a string (line 1, column 12)'],
    ['{"objects":null}', 'null (line 1, column 12)'],
    ['{"more":false,"objects":-1}', 'a number (line 1, column 25)'],
    ['{"type":"bundle","objects":true}', 'true (line 1, column 28)'],
  ])('%s', async (text, found) => {
    const reading = readAll(text);
    await expect(reading).rejects.toMatchObject({ code: 'malformed' });
    await expect(reading).rejects.toThrow(`Malformed STIX: "objects" must be a list, not ${found}`);
  });

  test('but a single object may have such a property', async () => {
    const observed = object('observed-data', { objects: { 0: { type: 'file' } } });
    expect((await seen(JSON.stringify(observed))).objects).toEqual(['unmapped ']);
  });
});

describe('the encoding of JSON', () => {
  const text = bundle([actor]);
  test.each([
    ['UTF-16 with a byte order mark', Buffer.from(`\uFEFF${text}`, 'utf16le'), 'encoding', 'UTF-16'],
    ['UTF-16 without one', Buffer.from(text, 'utf16le'), 'encoding', 'UTF-16'],
    ['UTF-16 BE without one', Buffer.from(text, 'utf16le').swap16(), 'encoding', 'UTF-16'],
    ['UTF-32', Buffer.from(Uint32Array.from(Buffer.from(text)).buffer), 'encoding', 'UTF-32'],
    [
      'a NUL in a text',
      Buffer.from('{"type":"bundle",\n"id":"a\0b"}'),
      'malformed',
      'U+0000, which must be escaped (line 2, column 8)',
    ],
    [
      'a NUL after the first bracket',
      Buffer.from('{\0"type":"bundle"}'),
      'malformed',
      'U+0000 is not allowed here (line 1, column 2)',
    ],
    [
      'a NUL between objects',
      Buffer.from('{"objects":[\0]}'),
      'malformed',
      'U+0000 is not allowed here (line 1, column 13)',
    ],
    ['a NUL at the end', Buffer.from('{}\n\0'), 'malformed', 'U+0000 is not allowed here (line 2, column 1)'],
    ['a NUL at the start', Buffer.from('\0{}'), 'not-stix', 'neither JSON nor XML'],
    ['only NUL', Buffer.alloc(10), 'not-stix', 'neither JSON nor XML'],
  ])('%s', async (_what, bytes, code, message) => {
    const reading = readAll(bytes);
    await expect(reading).rejects.toMatchObject({ code });
    await expect(reading).rejects.toThrow(message);
  });
});
