import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { impactLayers, technicalImpacts } from './impacts.ts';
import { readVignette, readVignetteText, vignetteText } from './read-vignette.ts';

const cell = { impact: 'Modify data', layer: 'System', subscore: 9 };
const shop = {
  name: 'Shop',
  scorecard: [cell, { impact: 'Read data', layer: 'Application', subscore: 7.5 }],
};

const problemsOf = (json: unknown): string[] => {
  const read = readVignette(json);
  return read.ok ? [] : read.problems.map(({ message }) => message);
};

describe('a vignette', () => {
  it('is read with its scorecard', () => {
    const file = {
      ...shop,
      description: ' Sells shoes ',
      archetypes: ['Database'],
      bvc: 'Money',
      origin: 'own',
    };
    expect(readVignette(file)).toEqual({
      ok: true,
      vignette: {
        name: 'Shop',
        scorecardName: 'Shop',
        description: 'Sells shoes',
        domain: '',
        maturity: '',
        archetypes: ['Database'],
        businessValueContext: 'Money',
        notes: '',
        references: [],
        origin: 'own',
        scorecard: [
          { ...cell, notes: '' },
          { impact: 'Read data', layer: 'Application', subscore: 7.5, notes: '' },
        ],
      },
      warnings: [],
    });
  });

  it.each([
    ['under content', { content: shop }],
    ['with another name in content', { name: 'Shop', content: { ...shop, name: 'Other' } }],
    ['with the name of its scorecard only', { ...shop, name: undefined, scorecardName: 'Shop' }],
    [
      'with a grid',
      { name: 'Shop', scorecard: { 'modify data': { system: 9 }, 'Read Data': { Application: '7.5' } } },
    ],
    [
      'with cells that have no rating',
      { ...shop, scorecard: [...shop.scorecard, { ...cell, layer: 'Network', subscore: null }] },
    ],
  ])('is read %s', (_what, json) => {
    const read = readVignette(json);
    expect(read).toMatchObject({ ok: true, vignette: { name: 'Shop' } });
    expect(read.ok && read.vignette.scorecard).toHaveLength(2);
  });

  it('warns about another value of a field in the object that wraps the fields', () => {
    const read = readVignette({ ...shop, id: 1, content: { ...shop, id: 2, name: 'Other', desc: 'Shoes' } });
    expect(read).toMatchObject({ ok: true, vignette: { name: 'Shop', description: 'Shoes' } });
    expect(read.ok && read.warnings).toEqual(['content.name was ignored, because name is used.']);
  });

  it('may have a field twice with the same value, and ids with different values', () => {
    const read = readVignette({
      ...shop,
      Name: shop.name,
      id: 1,
      _id: 2,
      scorecard: [{ ...cell, id: 1, _id: 2 }],
    });
    expect(read).toMatchObject({ ok: true, vignette: { name: 'Shop' }, warnings: [] });
  });

  it('has the name that its scorecard states, and warns when the file names it otherwise', () => {
    const file = { name: 'Shop', scorecard: { name: 'Card', cells: [cell] } };
    expect(readVignette(file)).toMatchObject({
      vignette: { name: 'Shop', scorecardName: 'Card' },
      warnings: [],
    });
    expect(readVignette({ ...file, scorecardName: 'Sheet' })).toMatchObject({
      vignette: { scorecardName: 'Sheet' },
      warnings: ['scorecard.name was ignored, because the name of the scorecard is "Sheet".'],
    });
  });

  it.each([
    ['no object', [shop], 'A vignette is a JSON object.'],
    ['no name', { scorecard: [cell] }, 'The vignette has no name.'],
    ['an invisible name', { name: '\u200B\u202E', scorecard: [cell] }, 'The vignette has no name.'],
    ['a name that is not a text', { ...shop, name: 7 }, 'name must be a text.'],
    ['a name of 201 characters', { ...shop, name: 'x'.repeat(201) }, 'name has more than 200 characters.'],
    ['NUL in a text', { ...shop, description: 'a\0b' }, 'description contains a character'],
    ['half a surrogate pair', { ...shop, description: '\uD800' }, 'description contains a character'],
    ['no scorecard', { name: 'Shop' }, 'scorecard must be a list of cells'],
    ['an empty scorecard', { name: 'Shop', scorecard: [] }, 'No cell of the scorecard has a rating.'],
    ['only blank rows', { name: 'Shop', scorecard: [{ impact: 'Read data', System: null }] }, 'No cell'],
    ['only blank rows of a grid', { name: 'Shop', scorecard: { 'Read data': null } }, 'No cell'],
    [
      'a row of a grid that is a number',
      { name: 'Shop', scorecard: { 'Read data': 7 } },
      'must be an object',
    ],
    ['a scorecard without a rating', { name: 'Shop', scorecard: [{ ...cell, subscore: null }] }, 'No cell'],
    [
      'an unknown impact',
      { ...shop, scorecard: [{ ...cell, impact: 'Boil' }] },
      'scorecard[0].impact must be one of',
    ],
    [
      'an unknown layer',
      { ...shop, scorecard: [{ ...cell, layer: 'Roof' }] },
      'scorecard[0].layer must be one of',
    ],
    [
      'a subscore above 10',
      { ...shop, scorecard: [{ ...cell, subscore: 10.1 }] },
      'scorecard[0].subscore must be',
    ],
    [
      'a negative subscore',
      { ...shop, scorecard: [{ ...cell, subscore: -1 }] },
      'scorecard[0].subscore must be',
    ],
    [
      'a subscore that is not a number',
      { ...shop, scorecard: [{ ...cell, subscore: 'high' }] },
      'must be a number',
    ],
    [
      'a cell twice',
      { ...shop, scorecard: [cell, { ...cell, subscore: 1 }] },
      'scorecard[1] rates Modify data at',
    ],
    [
      'a cell that is not an object',
      { ...shop, scorecard: ['Modify data'] },
      'scorecard[0] must be an object',
    ],
    [
      'a thousand cells',
      { ...shop, scorecard: Array.from({ length: 1000 }, () => cell) },
      'there are 8 impacts',
    ],
  ])('with %s is refused at its path', (_what, json, message) => {
    expect(problemsOf(json)[0]).toContain(message);
  });

  it.each([
    [
      'of rows',
      [
        { Impact: 'MODIFY DATA', System: 9, Network: '' },
        { impact: 'Read data', application: '7.5' },
      ],
    ],
    [
      'of rows, some of them blank',
      [
        { impact: 'Modify data', System: 9, Application: null },
        { impact: 'Read data', System: '', Application: 7.5 },
        { impact: 'DoS: resource consumption', System: null, Application: null, Network: null },
        { Impact: 'Hide activities', SYSTEM: '', Application: ' ', notes: '' },
        { impact: '', layer: '', System: '' },
      ],
    ],
    [
      "of MITRE's columns",
      [
        { Impact: 'Modify data', Layer: 'system', Subscore: 9, Notes: '' },
        { IMPACT: 'read-data', LAYER: 'Application', importance: ' +7.50 ' },
      ],
    ],
    [
      'under cells',
      { name: 'Shop', cells: [cell, { impact: 'Read data', layer: 'Application', subscore: 7.5 }] },
    ],
    [
      'as a grid with blank rows',
      { 'Modify data': { System: 9 }, 'Read data': { Application: 7.5 }, 'Hide activities': null },
    ],
    [
      'as a grid by layer with blank columns',
      {
        System: { 'Modify data': 9 },
        Application: { 'Read data': 7.5 },
        Network: null,
        Enterprise: ' ',
      },
    ],
    ['as a grid by layer', { System: { 'Modify data': 9 }, application: { READ_DATA: { value: 7.5 } } }],
    [
      'as a grid of objects',
      {
        'modify  data': { SYSTEM: { subscore: 9 } },
        'Read data': { Application: { rating: '7.5', note: '' } },
      },
    ],
  ])('is read with a scorecard %s', (_what, scorecard) => {
    expect(readVignette({ name: 'Shop', scorecard })).toEqual(readVignette(shop));
  });

  it('is read with the names of fields as MITRE prints them', () => {
    const read = readVignette({
      ID: 'retail-www',
      Name: 'Shop',
      Maturity: 'under-development',
      Domain: 'ecomm',
      Desc: 'A shop',
      Archetypes: 'Database',
      'Business Value Context (BVC)': 'PCI',
      Scorecard: [cell],
    });
    expect(read).toMatchObject({
      ok: true,
      vignette: {
        name: 'Shop',
        maturity: 'under-development',
        domain: 'ecomm',
        description: 'A shop',
        archetypes: ['Database'],
        businessValueContext: 'PCI',
      },
      warnings: [],
    });
  });

  it('warns of the notes of a blank row', () => {
    const row = { impact: 'Hide activities', System: null, notes: 'Later' };
    expect(readVignette({ ...shop, scorecard: [...shop.scorecard, row] })).toMatchObject({
      ok: true,
      warnings: ['scorecard[2] has notes but no rating, and was left out.'],
    });
  });

  it('takes a field of content where the field at the top is empty', () => {
    const read = readVignette({ name: null, scorecard: null, content: { ...shop, description: 'Inner' } });
    expect(read).toMatchObject({ ok: true, vignette: { name: 'Shop', description: 'Inner' } });
  });

  it('warns of what is ignored: unknown fields, a second name of a field, notes without a rating', () => {
    const read = readVignette({
      ...shop,
      colour: 'red',
      description: 'A',
      desc: 'B',
      content: { 'a "b"': 1 },
      scorecard: [
        ...shop.scorecard.map((one) => ({ ...one, colour: 1 })),
        { ...cell, layer: 'Network', subscore: '', notes: 'Later' },
      ],
    });
    expect(read.ok && read.warnings).toEqual([
      'scorecard[2] has notes but no rating, and was left out.',
      'The field colour of 2 cells is unknown and was ignored.',
      'desc was ignored, because description is used.',
      'The field colour is unknown and was ignored.',
      String.raw`The field content["a \"b\""] is unknown and was ignored.`,
    ]);
  });

  it('with a thousand unknown fields has at most 21 warnings, and none with a character that cannot be stored', () => {
    const fields = Object.fromEntries(
      Array.from({ length: 1000 }, (_, n) => [`\uD800${n}\0${'x'.repeat(1000)}`, n]),
    );
    const read = readVignette({ ...fields, ...shop });
    const warnings = read.ok ? read.warnings : [];
    expect(warnings).toHaveLength(21);
    expect(warnings.at(-1)).toBe('980 more warnings.');
    for (const warning of warnings) {
      expect(warning.isWellFormed() && !warning.includes('\0')).toBe(true);
      expect(warning.length).toBeLessThan(200);
    }
  });

  it.each([
    [
      'too many members',
      `{"name":"Shop"${',"a":1'.repeat(5000)},`,
      'more than 5,000 values (line 1, column 30009)',
    ],
    [
      'too many entries of a list',
      `{"name":[${'1,'.repeat(5000)}`,
      'more than 5,000 values (line 1, column 10007)',
    ],
    ['too many levels', '['.repeat(1000), 'nested more than 20 levels deep (line 1, column 21)'],
  ])('with %s is refused where they begin, before the rest is read', (_what, start, message) => {
    const read = readVignetteText(`${start}this is not JSON`);
    expect(!read.ok && read.problems).toEqual([{ path: '', message: expect.stringContaining(message) }]);
  });

  it('may have 5,000 values, and any punctuation in its texts', () => {
    const text = JSON.stringify({ ...shop, notes: '[{,"\\'.repeat(2000), x: Array(4950).fill(1) });
    expect(readVignetteText(text)).toMatchObject({ ok: true });
  });

  it('with a character that has more than 30 marks is refused: NFC takes time that grows with their square', () => {
    const marked = (marks: number) => `e${'\u0316\u0301'.repeat(marks / 2)}`;
    expect(problemsOf({ ...shop, notes: marked(32) })).toEqual([
      'notes has a character with more than 30 combining marks.',
    ]);
    expect(problemsOf({ ...shop, notes: marked(1_000_000) })).toEqual([
      'notes has more than 20,000 characters.',
    ]);
    expect(readVignette({ ...shop, notes: marked(30).repeat(20) })).toMatchObject({ ok: true });
  });

  it('has lengths that are counted in composed characters, not in UTF-16 units', () => {
    expect(readVignette({ ...shop, name: '🚢'.repeat(200) })).toMatchObject({ ok: true });
    expect(problemsOf({ ...shop, name: '🚢'.repeat(201) })[0]).toBe('name has more than 200 characters.');
    expect(readVignette({ ...shop, name: 'e\u0301'.repeat(200) })).toMatchObject({ ok: true });
    expect(problemsOf({ ...shop, name: 'e\u0301'.repeat(201) })[0]).toBe(
      'name has more than 200 characters.',
    );
  });

  it('has names of one line without control and direction characters, -0 as 0, and cells in one order', () => {
    const cells = [{ ...cell, layer: 'Network', subscore: -0 }, cell];
    const read = readVignette({ name: ' My\n\u202eshop\u0007 ', scorecard: cells });
    expect(read).toMatchObject({ ok: true, vignette: { name: 'My shop' } });
    expect(
      read.ok && read.vignette.scorecard.map(({ layer, subscore }) => [layer, Object.is(subscore, -0)]),
    ).toEqual([
      ['System', false],
      ['Network', false],
    ]);
  });

  it('is read back unchanged from its own text, without warnings', () => {
    const text = fc.string({ unit: 'binary', maxLength: 40 });
    const cells = fc
      .uniqueArray(fc.tuple(fc.constantFrom(...technicalImpacts), fc.constantFrom(...impactLayers)), {
        selector: String,
        minLength: 1,
      })
      .chain((names) =>
        fc.tuple(
          ...names.map(([impact, layer]) =>
            fc.record({
              impact: fc.constant(impact),
              layer: fc.constant(layer),
              subscore: fc.double({ min: 0, max: 10, noNaN: true }),
              notes: text,
            }),
          ),
        ),
      );
    const file = fc.record({
      name: text.map((one) => `${one}x`),
      scorecardName: text,
      description: text,
      domain: text,
      maturity: text,
      archetypes: fc.array(text, { maxLength: 3 }),
      businessValueContext: text,
      notes: text,
      references: fc.array(text, { maxLength: 3 }),
      origin: text,
      scorecard: cells,
    });
    let accepted = 0;
    fc.assert(
      fc.property(file, (json) => {
        const first = readVignette(json);
        if (!first.ok) return;
        accepted += 1;
        expect(readVignetteText(vignetteText(first.vignette))).toEqual({ ...first, warnings: [] });
        expect(readVignetteText(`\uFEFF${vignetteText(first.vignette)}`)).toEqual({
          ...first,
          warnings: [],
        });
      }),
      { numRuns: 300 },
    );
    expect(accepted).toBeGreaterThan(100);
  });

  it('of any JSON is read or refused with a reason, never with an exception', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        const read = readVignette(json);
        expect(read.ok || read.problems.length > 0).toBe(true);
      }),
    );
    fc.assert(
      fc.property(
        fc.record({ name: fc.jsonValue(), scorecard: fc.jsonValue(), content: fc.jsonValue() }),
        (json) => {
          const read = readVignette(json);
          expect(read.ok || read.problems.length > 0).toBe(true);
        },
      ),
    );
  });
});
