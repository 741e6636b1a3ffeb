import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readReport } from './read-report.ts';
import { ReportError } from './report-error.ts';
import { inChunks, readAll } from '../testing/test-sink.ts';

const uuid = '11111111-1111-4111-8111-111111111111';
const vulnerability = {
  type: 'vulnerability',
  spec_version: '2.1',
  id: `vulnerability--${uuid}`,
  created: '2024-01-01T00:00:00.000Z',
  modified: '2024-01-02T00:00:00.000Z',
  name: 'CVE-2024-1234',
};
const bundle = (...objects: unknown[]): string =>
  JSON.stringify({ type: 'bundle', id: `bundle--${uuid}`, objects });

const namespaces = [
  'xmlns:stix="http://stix.mitre.org/stix-1"',
  'xmlns:c="http://stix.mitre.org/common-1"',
  'xmlns:et="http://stix.mitre.org/ExploitTarget-1"',
  'xmlns:ttp="http://stix.mitre.org/TTP-1"',
  'xmlns:ex="http://example.org/intel"',
].join(' ');
const pack = (content: string, version = '1.2'): string =>
  `<stix:STIX_Package ${namespaces} version="${version}">${content}</stix:STIX_Package>`;
const target = (inside: string, id = 'id="ex:et-1"'): string =>
  `<stix:Exploit_Targets><c:Exploit_Target ${id}>${inside}</c:Exploit_Target></stix:Exploit_Targets>`;

async function refusal(content: string | Uint8Array): Promise<ReportError> {
  const error = await readAll(content).then(
    () => undefined,
    (cause: unknown) => cause,
  );
  if (!(error instanceof ReportError)) throw new Error(`not refused: ${String(error)}`);
  return error;
}

describe('JSON roots (mapping section 1)', () => {
  test.each([
    ['bundle', bundle(vulnerability), 'bundle', '2.1'],
    [
      'bundle of 2.0',
      JSON.stringify({ objects: [vulnerability], spec_version: '2.0', type: 'bundle' }),
      'bundle',
      '2.0',
    ],
    [
      'envelope, "more" behind',
      JSON.stringify({ objects: [vulnerability], more: false }),
      'taxii2.1-envelope',
      '2.1',
    ],
    ['list', JSON.stringify([vulnerability]), 'object-list', '2.1'],
    ['object', JSON.stringify(vulnerability), 'single-object', '2.1'],
    ['object with a byte order mark', `\uFEFF${JSON.stringify(vulnerability)}`, 'single-object', '2.1'],
    ['empty answer', '{}', 'taxii2.1-envelope', null],
  ])('%s', async (_, text, wrapper, stixVersion) => {
    for (const size of [1, 7, 1 << 20]) {
      const { summary } = await readAll(text, size);
      expect(summary).toMatchObject({ media: 'json', wrapper, stixVersion });
    }
  });

  test.each([
    ['a list without STIX', '[{"a":1}]', 'not-stix'],
    ['an envelope without STIX', '{"objects":[{"a":1}]}', 'not-stix'],
    ['another type with objects', '{"type":"feed","objects":[]}', 'not-stix'],
    ['text', 'hello', 'not-stix'],
    ['blanks', '  \n ', 'empty-file'],
    ['UTF-16', Buffer.from(`\uFEFF${bundle()}`, 'utf16le'), 'encoding'],
    ['objects twice', '{"type":"bundle","objects":[],"objects":[]}', 'malformed'],
    ['objects twice, once escaped', '{"objects":[],"o\\u0062jects":[]}', 'malformed'],
  ])('%s is refused', async (_, content, code) => {
    expect((await refusal(content)).code).toBe(code);
  });

  test('an error inside an object has its line and column in the file', async () => {
    const text = '{"type":"bundle",\n "objects":[\n  {"type":"x", "id":\n   tru}]}';
    expect(await refusal(text)).toMatchObject({ code: 'malformed', location: 'line 4, column 4' });
  });

  test('a broken file is refused with the same message wherever its chunks end', async () => {
    const object = fc.record({
      type: fc.constantFrom('tool', 'x'),
      list: fc.array(fc.constant({ type: 'x' })),
    });
    const wrong = fc.constantFrom('', '}', '{', ',', '"', '\n', '\\');
    const property = fc.asyncProperty(
      fc.array(object, { maxLength: 20 }),
      fc.constantFrom(undefined, 2),
      fc.nat(),
      wrong,
      async (objects, space, number, character) => {
        // Longer than the start of a file, which is one chunk.
        const root = { type: 'bundle', note: ' '.repeat(1024), objects };
        const text = JSON.stringify(root, undefined, space);
        const at = number % text.length;
        const broken = text.slice(0, at) + character + text.slice(at + 1);
        const outcome = (chunkSize: number) =>
          readAll(broken, chunkSize).then(
            ({ summary }) => summary,
            (error: unknown) => String(error),
          );
        expect(await outcome(1 << 20)).toEqual(await outcome(7));
      },
    );
    await fc.assert(property, { numRuns: 500 });
  });
});

describe('objects', () => {
  test('each has ordinal, location, outcome and a reason when nothing was taken', async () => {
    const { objects, summary } = await readAll(
      bundle(
        vulnerability,
        5,
        { id: 'x--1' },
        { type: 'tool' },
        { type: 'indicator', id: `indicator--${uuid}` },
      ),
    );
    expect(objects.map(({ outcome, location }) => [outcome, location])).toEqual([
      ['mapped', '/objects/0'],
      ['failed', '/objects/1'],
      ['failed', '/objects/2'],
      ['failed', '/objects/3'],
      ['unmapped', '/objects/4'],
    ]);
    expect(objects.map(({ reason }) => reason)).toEqual([
      null,
      'The list contains a value that is not an object',
      'The object has no type',
      'The object has no id',
      'Indicators are not extracted',
    ]);
    expect(summary).toMatchObject({ objectTotal: 5, mapped: 1, unmapped: 1, failed: 3 });
  });

  test('a long type and a long id are shortened in what is listed of an object', async () => {
    const long = 'y'.repeat(100_000);
    const { objects, records, summary } = await readAll(
      bundle(
        { ...vulnerability, spec_version: long },
        { type: `x-${long}`, id: 'zz' },
        { type: `x-${long}`, id: `x-${long}--${uuid}` },
        { type: 'x', id: long },
      ),
    );
    expect(summary).toMatchObject({ mapped: 1, failed: 2, unmapped: 1 });
    expect(records[0]?.stixVersion).toHaveLength(20);
    for (const { type, stixId, reason } of objects) {
      expect(type.length).toBeLessThanOrEqual(251);
      expect(stixId?.length).toBeLessThanOrEqual(2100);
      expect(reason?.length ?? 0).toBeLessThanOrEqual(350);
    }
  });

  test('an object nested too deep is failed with its location, type and id, the others go on', async () => {
    const deep = `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`;
    const named = `{"type":"tool","x":${deep},"id":"tool--1"}`;
    const { objects, records } = await readAll(
      `{"type":"bundle","objects":[${deep},${named},${named},${JSON.stringify(vulnerability)}]}`,
    );
    const reason = 'The object is nested deeper than 128 levels';
    const failure = { type: 'tool', stixId: 'tool--1', outcome: 'failed', reason };
    expect(objects).toMatchObject([
      { type: '(none)', stixId: null, outcome: 'failed', reason, location: '/objects/0' },
      { ...failure, location: '/objects/1' },
      { ...failure, location: '/objects/2' },
      { outcome: 'mapped' },
    ]);
    expect(records).toHaveLength(1);
  });

  test.each([
    ['too deep', `${'['.repeat(200)}${']'.repeat(200)}`],
    ['too large', `"${'x'.repeat(33 * 1024 * 1024)}"`],
    ['with too many values', `[${'1,'.repeat(500_001)}1]`],
  ])('an object %s keeps its type and id, in a bundle and in a list', async (_what, content) => {
    const object = `{"type":"tool","id":"tool--1","x":${content}}`;
    for (const text of [`{"objects":[${object}]}`, `[${object}]`, object]) {
      const { objects } = await readAll(text);
      expect(objects).toMatchObject([{ outcome: 'failed', type: 'tool', stixId: 'tool--1' }]);
    }
  });

  test('a name of more than 500 characters is cut, with a warning', async () => {
    const names = ['n'.repeat(500), 'n'.repeat(501), 'n'.repeat(502)];
    const objects = names.map((name, n) => ({
      ...vulnerability,
      id: `vulnerability--${n}`,
      name,
      external_references: [],
    }));
    const { records, summary } = await readAll(JSON.stringify({ type: 'bundle', objects }));
    const cut = `${'n'.repeat(499)}…`;
    expect(records.map(({ name }) => name)).toEqual([names[0], cut, cut]);
    expect(summary.warnings).toContainEqual({
      code: 'name-too-long',
      message: 'A name is longer than 500 characters; its end was cut off.',
      location: '/objects/1',
      count: 2,
    });
  });

  test('__proto__ changes no prototype', async () => {
    const evil = '{"type":"tool","id":"tool--1","name":"t","__proto__":{"revoked":true}}';
    const { records } = await readAll(
      `{"__proto__":{"spec_version":"9"},"type":"bundle","objects":[${evil}]}`,
    );
    expect(records[0]).toMatchObject({ state: 'active', stixVersion: null });
    expect(Object.getPrototypeOf({})).not.toHaveProperty('revoked');
  });

  test.each([['+275760-09-13T00:00:00Z'], ['0000-01-01T00:00:00Z'], ['2024-02-30T00:00:00Z'], ['soon']])(
    'a modified time of %s is left empty with a warning',
    async (modified) => {
      const { records, summary } = await readAll(bundle({ ...vulnerability, modified }));
      expect(records[0]?.modified).toBeNull();
      expect(summary.warnings.map(({ code }) => code)).toContain('time-unusable');
    },
  );

  test('a vector overrides the stated score, with a warning about the difference', async () => {
    const x_cvss = { v3_1: { base_score: 5, vector_string: 'CVSS:3.1/AV:L/AC:L/PR:N/UI:R/S:U/C:H/I:H/A:H' } };
    const { records, summary } = await readAll(bundle({ ...vulnerability, x_cvss }));
    expect(records[0]?.data).toMatchObject({ cvssScore: 7.8, cvssVersion: '3.1', cvssSource: 'x_cvss' });
    expect(summary.warnings.map(({ code }) => code)).toEqual(['cvss-score-differs']);
  });
});

describe('XML', () => {
  test.each([
    [
      'UTF-8',
      Buffer.from(pack(target('<et:Vulnerability><et:CVE_ID>CVE-2020-1111</et:CVE_ID></et:Vulnerability>'))),
    ],
    [
      'UTF-16 LE',
      Buffer.from(
        `\uFEFF<?xml version="1.0" encoding="UTF-16"?>${pack(target('<et:Vulnerability><et:CVE_ID>CVE-2020-1111</et:CVE_ID></et:Vulnerability>'))}`,
        'utf16le',
      ),
    ],
    [
      'UTF-16 BE',
      Buffer.from(
        `\uFEFF${pack(target('<et:Vulnerability><et:CVE_ID>CVE-2020-1111</et:CVE_ID></et:Vulnerability>'))}`,
        'utf16le',
      ).swap16(),
    ],
  ])('%s is read with any chunk boundaries', async (_, bytes) => {
    for (const size of [1, 3, 1 << 20]) {
      const { records } = await readAll(bytes, size);
      expect(records).toMatchObject([
        { key: 'cve:CVE-2020-1111', stixId: '{http://example.org/intel}et-1', stixVersion: '1.2' },
      ]);
    }
  });

  test('elements are recognized by namespace, with any prefix', async () => {
    const text = pack(target('<et:Vulnerability/>'))
      .replaceAll(/\bstix([:=])/g, 'a$1')
      .replaceAll(/\bc([:=])/g, 'stix$1');
    const { records } = await readAll(text);
    expect(records).toMatchObject([
      { kind: 'vulnerability', location: '/a:STIX_Package/a:Exploit_Targets[1]/stix:Exploit_Target[1]' },
    ]);
    const forged = pack(target('<et:Vulnerability/>')).replace(
      'http://stix.mitre.org/common-1',
      'http://evil.example/',
    );
    expect((await readAll(forged)).records).toEqual([]);
  });

  test('objects are reported in file order although the outer one closes last', async () => {
    const inner =
      '<ttp:Exploit_Targets><ttp:Exploit_Target><c:Exploit_Target id="ex:et-2"><et:Vulnerability/></c:Exploit_Target></ttp:Exploit_Target></ttp:Exploit_Targets>';
    const tool =
      '<ttp:Resources><ttp:Tools><ttp:Tool><c:Name>nmap</c:Name></ttp:Tool></ttp:Tools></ttp:Resources>';
    const { objects, relations } = await readAll(
      pack(`<stix:TTPs><stix:TTP id="ex:ttp-1">${tool}${inner}</stix:TTP></stix:TTPs>`),
    );
    expect(objects.map(({ type, ordinal }) => [type, ordinal])).toEqual([
      ['TTP', 0],
      ['ExploitTarget', 1],
    ]);
    expect(relations).toEqual([
      {
        ordinal: 0,
        type: 'targets',
        sourceId: '{http://example.org/intel}ttp-1',
        targetId: '{http://example.org/intel}et-2',
        stixId: '{http://example.org/intel}ttp-1',
        location: '/stix:STIX_Package/stix:TTPs[1]/stix:TTP[1]',
      },
    ]);
  });

  test('constructs without an id are named by the hash of the file and a running number', async () => {
    const two = `${target('<et:Vulnerability/>', '')}${target('<et:Vulnerability/><et:Vulnerability/>', '')}`;
    const { records } = await readAll(pack(two));
    expect(records.map(({ key }) => key.replace(/[0-9a-f]{64}/, 'hash'))).toEqual([
      'stix1:hash#vuln[0]',
      'stix1:hash#vuln[1]',
      'stix1:hash#vuln[2]',
    ]);
  });

  test('a reference creates nothing', async () => {
    expect((await readAll(pack(target('', 'idref="ex:et-1"')))).objects).toEqual([]);
  });

  test('a text with CDATA is read unchanged over many chunks, one of several megabytes up to its limit', async () => {
    const descriptionOf = async (length: number, chunkSize: number) => {
      const text = `<et:Description><![CDATA[<!DOCTYPE html>]]>${'y'.repeat(length)}</et:Description>`;
      const report = pack(target(`<et:Vulnerability>${text}</et:Vulnerability>`));
      return (await readAll(report, chunkSize)).records[0]?.data.description;
    };
    expect(await descriptionOf(60_000, 1000)).toBe(`<!DOCTYPE html>${'y'.repeat(60_000)}`);
    expect(await descriptionOf(5_000_000, 1 << 20)).toBe(`<!DOCTYPE html>${'y'.repeat(65_520)}…`);
  });

  test('each TAXII block has its own version', async () => {
    const block = (content: string): string =>
      `<t:Content_Block><t:Content>${content}</t:Content></t:Content_Block>`;
    const message = (inside: string): string =>
      `<t:Poll_Response xmlns:t="http://taxii.mitre.org/messages/taxii_xml_binding-1.1" more="true">${inside}</t:Poll_Response>`;
    const { summary, records } = await readAll(
      message(
        block(pack(target('<et:Vulnerability/>'), '1.2')) +
          block(pack(target('<et:Vulnerability/>'), '1.1.1')) +
          block('<x/>'),
      ),
    );
    expect(summary).toMatchObject({ wrapper: 'taxii1.1:Poll_Response', stixVersion: '1.1.1,1.2' });
    expect(records.map(({ stixVersion }) => stixVersion)).toEqual(['1.2', '1.1.1']);
    expect(summary.warnings.map(({ code }) => code)).toEqual(['incomplete-page', 'content-not-stix']);
    expect((await refusal(message(block('<x/>')))).message).toContain('contains no STIX package');
  });

  test.each([
    ['true', true],
    ['1', true],
    [' 1 ', true],
    ['false', false],
    ['0', false],
  ])('a TAXII message with more="%s" has more pages: %s', async (more, isIncomplete) => {
    const { summary } = await readAll(
      `<t:Poll_Response xmlns:t="http://taxii.mitre.org/messages/taxii_xml_binding-1.1" more="${more}"><t:Content_Block><t:Content>${pack(target('<et:Vulnerability/>'))}</t:Content></t:Content_Block></t:Poll_Response>`,
    );
    expect(summary.warnings.map(({ code }) => code)).toEqual(isIncomplete ? ['incomplete-page'] : []);
  });

  describe('a TAXII block with text', () => {
    const block = (content: string): string =>
      `<t:Content_Block><t:Content>${content}</t:Content></t:Content_Block>`;
    const message = (...blocks: string[]): string =>
      `<t:Poll_Response xmlns:t="http://taxii.mitre.org/messages/taxii_xml_binding-1.1">${blocks.join('\n')}</t:Poll_Response>`;
    const package12 = pack(target('<et:Vulnerability/>'));
    const escaped = package12.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

    test.each([
      ['escaped STIX', escaped],
      ['STIX in CDATA', `\n<![CDATA[${package12}]]>\n`],
      ['other text', 'text'],
    ])('%s is not read: a warning, or an error without other blocks', async (_what, text) => {
      for (const size of [1, 1 << 20]) {
        const { summary, records } = await readAll(message(block(text), block(` ${package12} `)), size);
        expect(records).toHaveLength(1);
        expect(summary.warnings).toMatchObject([
          {
            code: 'content-not-stix',
            location: '/t:Poll_Response/t:Content_Block[1]/t:Content[1]',
            count: 1,
          },
        ]);
      }
      expect(await refusal(message(block(text)))).toMatchObject({
        code: 'no-stix-content',
        message: expect.stringContaining('contains text instead of STIX elements') as string,
      });
    });

    test('and an element has one warning; an empty block has none', async () => {
      const { summary } = await readAll(message(block('a<x/>b'), block(' '), block(package12)));
      expect(summary.warnings).toMatchObject([{ code: 'content-not-stix', count: 1 }]);
    });
  });

  test.each([
    ['http://stix.mitre.org/TTP-1', 'TTP', 'ttp'],
    ['http://docs.oasis-open.org/cti/ns/stix/ttp-1', 'TTP', 'ttp'],
    ['http://stix.mitre.org/common-1', 'Threat_Actor', 'threat-actor'],
    ['http://docs.oasis-open.org/cti/ns/stix/campaign-1', 'Campaign', 'campaign'],
    ['http://stix.mitre.org/CourseOfAction-1', 'Course_Of_Action', undefined],
    ['http://docs.oasis-open.org/cti/ns/stix/indicator-1', 'Indicator', undefined],
    ['http://docs.oasis-open.org/cti/ns/stix/incident-1', 'Incident', undefined],
    ['http://stix.mitre.org/Report-1', 'Report', undefined],
    ['http&#58;//stix.mitre.org/TTP&#x2d;1', 'TTP', 'ttp'],
  ])('a bare construct of %s is read with a warning: %s', async (uri, local, type) => {
    const { summary, objects, records } = await readAll(
      `<${local} xmlns="${uri}" id="t-1"><Title>Rat</Title></${local}>`,
    );
    const record = { key: 'stix1:t-1', type, name: 'Rat', stixVersion: null };
    expect(records).toMatchObject(type === undefined ? [] : [record]);
    expect(objects).toMatchObject([{ stixId: 't-1', location: `/${local}` }]);
    expect(summary.warnings.map(({ code }) => code)).toEqual(['fragment']);
  });

  test('a package inside a package does not change the version of the file', async () => {
    const { summary, records } = await readAll(pack(pack(target('<et:Vulnerability/>'), '1.1.1'), '1.2'));
    expect(summary.stixVersion).toBe('1.2');
    expect(records).toMatchObject([{ stixVersion: '1.1.1' }]);
  });
});

describe('hostile and invalid files are rejected at once (faults F18)', () => {
  const laughs = '<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">'.repeat(1000);
  test.each([
    ['entities', `<?xml version="1.0"?><!-- c --><!DOCTYPE x [${laughs}]><x>&b;</x>`, 'doctype'],
    ['external entity', '<!DOCTYPE x SYSTEM "file:///etc/passwd"><x/>', 'doctype'],
    ['a document type without end', `<!DOCTYPE x [${'<!ENTITY a "b">'.repeat(600_000)}`, 'doctype'],
    ['undeclared entity', pack('<stix:STIX_Header>&boom;</stix:STIX_Header>'), 'malformed'],
    ['depth', pack('<a>'.repeat(100_000)), 'too-deep'],
    [
      'attributes',
      pack(`<a ${Array.from({ length: 2000 }, (_, n) => `a${n}="1"`).join(' ')}/>`),
      'too-many-attributes',
    ],
    ['unbound prefix', '<stix:STIX_Package/>', 'malformed'],
    ['two roots', `${pack('')}${pack('')}`, 'malformed'],
    ['cut off', pack('<a>').slice(0, -5), 'malformed'],
    ['Latin-1', Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>\xe9</a>', 'latin1'), 'encoding'],
    ['UTF-16 without mark', Buffer.from(pack(''), 'utf16le'), 'encoding'],
    ['five million brackets', '['.repeat(5_000_000), 'malformed'],
  ])('%s', async (_, content, code) => {
    expect((await refusal(content)).code).toBe(code);
  });

  test('invalid UTF-8 is rejected with the offset of its first byte, wherever chunks end', async () => {
    const start = Buffer.from('{"type":"bundle","x":"\u20ac\u{1F600}');
    const bytes = Buffer.concat([start, Buffer.from([0xe2, 0x28, 0xa1]), Buffer.from('"}')]);
    for (const size of [1, 2, 3, 5, 1000]) {
      const error: unknown = await readAll(bytes, size).catch((cause: unknown) => cause);
      expect(error).toMatchObject({ code: 'encoding', location: `byte ${start.length}` });
    }
  });
});

describe('the event loop', () => {
  const quiet = { object() {}, record() {}, relation() {} };
  const sha256 = '0'.repeat(64);

  test('runs other work while a large report is read', async () => {
    const large = Buffer.from(
      bundle(...Array.from({ length: 40_000 }, () => ({ ...vulnerability, x: 'y'.repeat(300) }))),
    );
    let ticks = 0;
    const timer = setInterval(() => {
      ticks += 1;
    }, 1);
    await readReport(() => inChunks(large, large.length), { ...quiet, flush: async () => {} }, { sha256 });
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(3);
  });

  test('the sink is awaited after every chunk', async () => {
    const content = Buffer.from(bundle(...Array.from({ length: 100 }, () => vulnerability)));
    let flushes = 0;
    const flush = async (): Promise<void> => {
      await setImmediate();
      flushes += 1;
    };
    await readReport(() => inChunks(content, 2048), { ...quiet, flush }, { sha256 });
    expect(flushes).toBe(Math.ceil(content.length / 2048) + 1);
  });

  test('an aborted read rejects with the reason', async () => {
    const signal = AbortSignal.abort(new Error('cancelled by a person'));
    const reading = readReport(
      () => inChunks(Buffer.from(bundle()), 10),
      { ...quiet, flush: async () => {} },
      { sha256, signal },
    );
    await expect(reading).rejects.toThrow('cancelled by a person');
  });
});
