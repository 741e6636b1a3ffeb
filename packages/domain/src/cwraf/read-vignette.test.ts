import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readVignette } from './read-vignette.ts';

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

  it.each([
    ['no object', [shop], 'A vignette is a JSON object.'],
    ['no name', { scorecard: [cell] }, 'The vignette has no name.'],
    ['a name that is not a text', { ...shop, name: 7 }, 'name must be a text.'],
    ['a name of 201 characters', { ...shop, name: 'x'.repeat(201) }, 'name has more than 200 characters.'],
    ['NUL in a text', { ...shop, description: 'a\0b' }, 'description contains a character'],
    ['half a surrogate pair', { ...shop, description: '\uD800' }, 'description contains a character'],
    ['no scorecard', { name: 'Shop' }, 'scorecard must be a list of cells'],
    ['an empty scorecard', { name: 'Shop', scorecard: [] }, 'No cell of the scorecard has a rating.'],
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
