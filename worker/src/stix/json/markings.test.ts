import { describe, expect, test } from 'vitest';
import { bundle, object, threat, vulnerability } from '../../testing/stix2.ts';
import { readAll } from '../../testing/test-sink.ts';

const own = 'marking-definition--00000000-0000-4000-8000-000000000001';
const other = 'marking-definition--00000000-0000-4000-8000-000000000002';
const marking = (id: string, fields: object) =>
  object('marking-definition', { id, modified: undefined, ...fields });
const red = marking(own, { definition_type: 'tlp', definition: { tlp: 'red' } });
const statement = marking(own, { definition_type: 'statement', definition: { statement: 'A text' } });
const marked = threat({ object_marking_refs: [own] });

const labelsAndWarnings = async (text: string) => {
  const { records, summary } = await readAll(text);
  return { labels: records.map(({ data }) => data.tlp), warnings: summary.warnings };
};
const warning = (code: string, location: string, count = 1) =>
  expect.objectContaining({ code, location, count });

describe('a marking that the file defines', () => {
  test('gives its TLP label to the objects after it', async () => {
    const weakness = vulnerability({ granular_markings: [{ marking_ref: own, selectors: ['name'] }] });
    for (const text of [bundle([red, marked, weakness]), JSON.stringify([red, marked, weakness])])
      expect(await labelsAndWarnings(text)).toEqual({ labels: ['TLP:RED', 'TLP:RED'], warnings: [] });
  });

  test('does not replace the label of a predefined one', async () => {
    const white = 'marking-definition--613f2e26-407d-48c7-9eca-b8e91df99dc9';
    const objects = [
      marking(white, { definition: { tlp: 'red' } }),
      threat({ object_marking_refs: [white] }),
    ];
    expect((await labelsAndWarnings(bundle(objects))).labels).toEqual(['TLP:WHITE']);
  });

  test('after the objects that it marks is a warning', async () => {
    expect(await labelsAndWarnings(bundle([marked, red, marked]))).toEqual({
      labels: [undefined, 'TLP:RED'],
      warnings: [warning('marking-late', '/objects/0')],
    });
  });

  test('is no warning when it is not of TLP, before and after its objects', async () => {
    for (const objects of [
      [statement, marked],
      [marked, statement],
    ])
      expect(await labelsAndWarnings(bundle(objects))).toEqual({ labels: [undefined], warnings: [] });
  });
});

test('a predefined marking is known in any case', async () => {
  const ids = [
    'marking-definition--5E57C739-391A-4EB3-B6BE-7D15CA92D5ED',
    'marking-definition--5e57c739-391A-4eb3-b6be-7d15ca92d5ed',
  ];
  const objects = [...ids, ...ids].map((id) => threat({ object_marking_refs: [id] }));
  expect(await labelsAndWarnings(bundle(objects))).toEqual({
    labels: Array.from({ length: 4 }, () => 'TLP:RED'),
    warnings: [],
  });
});

test('markings that the file does not define are one warning with their number', async () => {
  const objects = [marked, marked, threat({ object_marking_refs: [other] })];
  expect(await labelsAndWarnings(bundle(objects))).toEqual({
    labels: [undefined, undefined, undefined],
    warnings: [warning('marking-unknown', '/objects/0', 2)],
  });
});

test('a marking with a very long id is unknown, though the file defines it', async () => {
  const id = `marking-definition--${'0'.repeat(1000)}`;
  const objects = [marking(id, { definition: { tlp: 'red' } }), threat({ object_marking_refs: [id] })];
  expect((await labelsAndWarnings(bundle(objects))).warnings).toEqual([
    warning('marking-unknown', '/objects/1'),
  ]);
});
