import { impactLayers, starterVignettes, technicalImpacts, type Vignette } from '@riskboard/domain';

/** A malformed file, and what the answer must name. */
export interface MalformedVignette {
  what: string;
  content: string | Buffer;
  /** Path of the first detail. */
  path: string;
  /** Part of the message. */
  says?: string | RegExp;
}

const [starter] = starterVignettes as [Vignette];
/** All 32 cells are rated, and every field has a value. */
const complete = {
  ...starter,
  references: ['https://example.org'],
  scorecard: technicalImpacts.flatMap((impact) =>
    impactLayers.map((layer, at) => ({ impact, layer, subscore: at + 5, notes: 'Why' })),
  ),
};
const json = (value: unknown): string => JSON.stringify(value);
const shown = (value: unknown): string => json(value).slice(0, 40);
const wholeFile = 'vignetteFile';
const located = /\(line \d+, column \d+\)/u;

const long = (length: number): string => 'x'.repeat(length);
/** Text that cannot be stored. */
const unstorable = ['a\0b', '\uD800', '\uDC00x'];
const notTexts = [7, -1.5, true, false, {}, [], ['x'], { name: 'x' }];
const nameFields = ['name', 'scorecardName', 'domain', 'maturity', 'origin'] as const;
const textFields = ['description', 'businessValueContext', 'notes'] as const;

function* texts(): Generator<MalformedVignette> {
  const cases = [
    ...nameFields.map((field) => [field, 200] as const),
    ...textFields.map((field) => [field, 20_000] as const),
  ];
  for (const [field, most] of cases)
    for (const value of [...notTexts, ...unstorable, long(most + 1)])
      yield {
        what: `${field} ${shown(value)}`,
        content: json({ ...complete, [field]: value }),
        path: field,
        says: field,
      };
}

function* lists(): Generator<MalformedVignette> {
  for (const field of ['archetypes', 'references'] as const) {
    for (const value of [7, true, {}, { 0: 'x' }, long(20_001), Array.from({ length: 201 }, () => 'x')])
      yield { what: `${field} ${shown(value)}`, content: json({ ...complete, [field]: value }), path: field };
    for (const value of [7, true, {}, [], ...unstorable, long(20_001)])
      yield {
        what: `${field} with ${shown(value)}`,
        content: json({ ...complete, [field]: ['x', value] }),
        path: `${field}[1]`,
      };
  }
}

const wrongCells: Readonly<Record<string, readonly unknown[]>> = {
  impact: [7, null, '', 'Boil', 'Modify', {}, [], true, undefined],
  layer: [7, null, '', 'Roof', 'Systems', {}, ['System'], true, undefined],
  subscore: [
    -1,
    -0.001,
    10.001,
    11,
    1e308,
    '11',
    '-1',
    'high',
    'NaN',
    'Infinity',
    '0x5',
    '7,5',
    {},
    [],
    true,
  ],
  notes: [7, true, {}, [], ...unstorable, long(20_001)],
};

function* cells(): Generator<MalformedVignette> {
  for (const [at, cell] of complete.scorecard.entries()) {
    const withCell = (changed: unknown) =>
      json({ ...complete, scorecard: complete.scorecard.with(at, changed as typeof cell) });
    for (const [field, values] of Object.entries(wrongCells))
      for (const value of values)
        yield {
          what: `cell ${at}, ${field} ${shown(value ?? null)}`,
          content: withCell({ ...cell, [field]: value }),
          path: `scorecard[${at}].${field}`,
        };
    for (const value of [7, 'x', null, true, []])
      yield { what: `cell ${at} ${shown(value)}`, content: withCell(value), path: `scorecard[${at}]` };
    yield {
      what: `cell ${at} twice`,
      content: json({
        ...complete,
        scorecard: [...complete.scorecard, { ...cell, impact: cell.impact.toUpperCase(), subscore: 0 }],
      }),
      path: 'scorecard[32]',
      says: `scorecard[${at}] has rated it`,
    };
    // JSON.stringify cannot write this number.
    yield {
      what: `cell ${at}, subscore 1e400`,
      content: withCell({ ...cell, subscore: 12345 }).replace('12345', '1e400'),
      path: `scorecard[${at}].subscore`,
    };
  }
}

function* scorecards(): Generator<MalformedVignette> {
  const of = (scorecard: unknown) => json({ name: 'Shop', scorecard });
  for (const value of [
    undefined,
    null,
    '',
    7,
    true,
    'x',
    [],
    {},
    [{ ...complete.scorecard[0], subscore: null }],
  ])
    yield { what: `scorecard ${shown(value ?? null)}`, content: of(value), path: 'scorecard' };
  const many = Array.from({ length: 201 }, () => complete.scorecard[0]);
  yield { what: '201 cells', content: of(many), path: 'scorecard', says: '201 cells' };
  const rows = Object.fromEntries(many.map((_, n) => [`Impact ${n}`, {}]));
  yield { what: 'a grid of 201 rows', content: of(rows), path: 'scorecard' };
  yield { what: 'a row that is a number', content: of({ 'Read data': 7 }), path: 'scorecard["Read data"]' };
  yield { what: 'an unknown row', content: of({ Boil: { System: 7 } }), path: 'scorecard.Boil' };
  yield {
    what: 'an unknown column',
    content: of({ 'Read data': { Roof: 7 } }),
    path: 'scorecard["Read data"].Roof',
  };
  yield {
    what: 'a row twice',
    content: of({ 'Read data': { System: 7 }, 'READ-DATA': { System: 8 } }),
    path: 'scorecard["READ-DATA"].System',
  };
  yield {
    what: 'a wrong value in a grid',
    content: of({ System: { 'Read data': 'high' } }),
    path: 'scorecard.System["Read data"]',
  };
  yield { what: 'no name', content: json({ ...complete, name: ' ', scorecardName: '' }), path: 'name' };
  yield { what: 'a field twice', content: json({ ...complete, Name: 'Other' }), path: 'Name', says: 'twice' };
}

/** Faults of the JSON text, each with its line and column. */
function* jsonTexts(): Generator<MalformedVignette> {
  const text = json(complete);
  const fault = (what: string, content: string | Buffer, says: string | RegExp = located) => ({
    what,
    content,
    path: wholeFile,
    says,
  });
  for (let length = 1; length < text.length; length += Math.ceil(text.length / 100))
    yield fault(`cut after ${length} characters`, text.slice(0, length));
  for (const value of [
    'NaN',
    'Infinity',
    '-Infinity',
    '+1',
    '01',
    '.5',
    '1.',
    '0x5',
    '1e',
    'undefined',
    "'x'",
    '/**/1',
  ])
    yield fault(
      `the value ${value}`,
      `{"name":"Shop",\n"scorecard":[{"subscore":${value}}]}`,
      '(line 2, column ',
    );
  for (const control of ['\0', '\u0001', '\n', '\t', '\u001f'])
    yield fault(`${json(control)} in a string`, `{"name":"a${control}b"}`, '(line 1, column ');
  yield fault('a comma too many', '{"name":"x",}', '(line 1, column 13)');
  yield fault('a name without quotes', '{name:"x"}', '(line 1, column 2)');
  yield fault('two values', '{}{}', '(line 1, column 3)');
  yield fault(
    'a property twice',
    '{"name":"x",\n "name":"y"}',
    'occurs twice in one object (line 2, column 2)',
  );
  yield fault('an escaped property twice', String.raw`{"name":"x","\u006eame":"y"}`, '(line 1, column 13)');
  yield fault('a cell with a property twice', '{"a":[{"b":1},{"b":1,"b":2}]}', '(line 1, column 22)');
  yield fault('an invalid escape', String.raw`{"name":"\x41"}`);
  for (const depth of [21, 1000, 100_000, 500_000]) {
    yield fault(
      `${depth} lists`,
      `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`,
      'levels deep (line 1, column 25)',
    );
    yield fault(`${depth} open lists`, '['.repeat(depth));
  }
  yield fault('100,000 objects', '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000), 'levels deep');
  for (const value of ['[]', '"x"', '7', 'null', 'true', '[{"name":"x"}]'])
    yield fault(`${value} instead of an object`, value, 'A vignette is a JSON object.');
  yield fault('blanks only', ' \n\t ', 'The file is empty.');
  yield fault('a byte order mark only', '\uFEFF', 'The file is empty.');
  yield fault('two byte order marks', '\uFEFF\uFEFF{}');
  for (const bytes of [[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xe2, 0x82]])
    yield fault(
      `the bytes ${Buffer.from(bytes).toString('hex')}`,
      Buffer.concat([Buffer.from('{\n"name":"é'), Buffer.from(bytes), Buffer.from('"}')]),
      'not UTF-8 text (line 2, column 10)',
    );
  yield fault('UTF-16', Buffer.from(`\uFEFF${text}`, 'utf16le'), 'not UTF-8 text (line 1, column 1)');
  yield fault(
    'a picture',
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a]),
    'not UTF-8 text (line 1, column 1)',
  );
}

/** Malformed files, generated systematically: more than 1,000. */
export const malformedVignettes = (): MalformedVignette[] => [
  ...texts(),
  ...lists(),
  ...cells(),
  ...scorecards(),
  ...jsonTexts(),
];
