import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { CatalogueFault } from './catalogue.ts';
import { parseCatalogue, readCatalogue } from './read-catalogue.ts';

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}
const read = (content: string | Buffer, name = 'cwe.xml', size = 7) =>
  parseCatalogue(pieces(Buffer.from(content), size), name);

const xml = (inside: string, attributes = 'Version="9.1" Date="2026-01-02"') =>
  `<?xml version="1.0"?>\n<Weakness_Catalog Name="CWE" ${attributes} xmlns="http://cwe.mitre.org/cwe-7" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n${inside}\n</Weakness_Catalog>`;
const weaknesses = (inside: string) => xml(`<Weaknesses>${inside}</Weaknesses>`);
const small = '<Weakness ID="5" Name="Five"><Description>d</Description></Weakness>';

const full = weaknesses(`
  <Weakness ID="5" Name="Five &amp; more" Abstraction="Base" Structure="Simple" Status="Draft">
    <Description>One
      line.</Description>
    <Extended_Description><xhtml:p>First <xhtml:b>bold</xhtml:b>.</xhtml:p>
      <xhtml:ul><xhtml:li>item</xhtml:li></xhtml:ul></Extended_Description>
    <Related_Weaknesses><Related_Weakness Nature="ChildOf" CWE_ID="7" View_ID="1000"/></Related_Weaknesses>
    <Likelihood_Of_Exploit>High</Likelihood_Of_Exploit>
    <Common_Consequences><Consequence><Scope>Integrity</Scope><Impact>Modify Memory</Impact>
      <Likelihood>Low</Likelihood><Note>n</Note></Consequence></Common_Consequences>
    <Potential_Mitigations><Mitigation><Phase>Implementation</Phase><Description>Do it.</Description>
      <Effectiveness>High</Effectiveness></Mitigation></Potential_Mitigations>
    <Mapping_Notes><Usage>Allowed</Usage><Rationale>r</Rationale></Mapping_Notes>
  </Weakness>
  <Weakness ID="7" Name="Seven"><Description>d</Description></Weakness></Weaknesses>
  <Categories><Category ID="8" Name="Eight" Status="Obsolete"><Summary>s</Summary>
    <Relationships><Has_Member CWE_ID="5" View_ID="1"/></Relationships></Category></Categories>
  <Views><View ID="1" Name="View" Status="Draft"><Objective>o</Objective>
    <Members><Has_Member CWE_ID="8" View_ID="1"/></Members></View></Views>
  <Weaknesses>`);

const json = (change: object = {}) =>
  JSON.stringify({
    ContentVersion: '9.1',
    ContentDate: '2026-01-02',
    Weaknesses: [
      {
        ID: '5',
        Name: 'Five & more',
        Abstraction: 'Base',
        Structure: 'Simple',
        Status: 'Draft',
        Description: 'One line.',
        ExtendedDescription: '<xhtml:p>First bold.</xhtml:p>\n<xhtml:li>• item</xhtml:li>',
        LikelihoodOfExploit: 'High',
        RelatedWeaknesses: [{ Nature: 'ChildOf', CWE_ID: '7', View_ID: '1000' }],
        CommonConsequences: [
          { Scope: ['Integrity'], Impact: ['Modify Memory'], Likelihood: ['Low'], Note: 'n' },
        ],
        PotentialMitigations: [{ Phase: ['Implementation'], Description: 'Do it.', Effectiveness: 'High' }],
        MappingNotes: { Usage: 'Allowed', Rationale: 'r' },
      },
      { ID: '7', Name: 'Seven', Description: 'd' },
    ],
    Categories: [
      {
        ID: '8',
        Name: 'Eight',
        Status: 'Obsolete',
        Summary: 's',
        Relationships: [{ CweID: '5', ViewID: '1' }],
      },
    ],
    Views: [
      { ID: '1', Name: 'View', Status: 'Draft', Objective: 'o', Members: [{ CweID: '8', ViewID: '1' }] },
    ],
    ...change,
  });

/** A ZIP file with one deflated file. */
function zip(content: string): Buffer {
  const name = Buffer.from('cwec_v9.1.xml');
  const header = Buffer.alloc(30);
  header.write('PK\u0003\u0004', 'latin1');
  header.writeUInt16LE(8, 8);
  header.writeUInt16LE(name.length, 26);
  const directory = Buffer.from('PK\u0001\u0002 and what follows');
  return Buffer.concat([header, name, deflateRawSync(content), directory]);
}

describe('parseCatalogue', () => {
  it('reads the same catalogue from XML, ZIP and JSON', async () => {
    const content = await read(full);
    expect(content).toMatchObject({ version: '9.1', date: '2026-01-02' });
    expect(content.notice).toContain('2006–2026, The MITRE Corporation');
    expect(content.entries.map(({ id, kind }) => [id, kind])).toEqual([
      [1, 'view'],
      [5, 'weakness'],
      [7, 'weakness'],
      [8, 'category'],
    ]);
    expect(content.entries[1]?.data).toEqual({
      Name: 'Five & more',
      Abstraction: 'Base',
      Structure: 'Simple',
      Status: 'Draft',
      Description: 'One line.',
      ExtendedDescription: 'First bold.\n• item',
      Likelihood: 'High',
      Weaknesses: [
        { ID: '7', Nature: 'ChildOf', View: '1000' },
        { ID: '8', Nature: 'MemberOf', View: '1' },
      ],
      Consequences: [{ Scope: ['Integrity'], Impact: ['Modify Memory'], Likelihood: 'Low', Note: 'n' }],
      Mitigations: [
        {
          Phase: ['Implementation'],
          Strategy: '',
          Description: 'Do it.',
          Effectiveness: 'High',
          EffectivenessNotes: '',
        },
      ],
      Mapping: { Usage: 'Allowed', Rationale: 'r', Comments: '' },
    });
    expect(content.entries[2]?.data.Weaknesses).toEqual([{ ID: '5', Nature: 'ParentOf', View: '1000' }]);
    expect(await read(zip(full), 'cwec.xml.zip')).toEqual(content);
    const fromJson = await read(json(), 'cwe.json');
    expect(fromJson.entries.map(({ data }) => ({ ...data, ExtendedDescription: '' }))).toEqual(
      content.entries.map(({ data }) => ({ ...data, ExtendedDescription: '' })),
    );
  });

  it('takes the version from the file name when the JSON has none', async () => {
    expect((await read(json({ ContentVersion: undefined }), 'cwec_v4.19.1.json')).version).toBe('4.19.1');
  });

  it.each<[string, string | Buffer, RegExp]>([
    ['another document', '<html>\n</html>', /^Line 1: this is no CWE catalogue: its first element is html/u],
    ['malformed XML', weaknesses('\n<Weakness ID="5"'), /^Line \d+: malformed XML/u],
    ['an unclosed document', xml(small).slice(0, -30), /malformed XML|contains no weakness/u],
    ['a weakness without a number', weaknesses('<Weakness Name="x"/>'), /a Weakness without a number/u],
    ['a number that comes twice', weaknesses(small + small), /^CWE-5 comes twice\.$/u],
    ['no weakness', xml(''), /contains no weakness/u],
    ['no version', xml(`<Weaknesses>${small}</Weaknesses>`, ''), /names no version/u],
    ['a document type', `<!DOCTYPE a [<!ENTITY b "c">]>${weaknesses(small)}`, /document type/u],
    [
      'a document type behind a comment with the name of the first element',
      `<!-- <Weakness_Catalog --><!DOCTYPE a [<!ENTITY b "c">]>${weaknesses(small)}`,
      /document type/u,
    ],
    ['an unknown entity', weaknesses('<Weakness ID="5" Name="&b;"/>'), /^Line \d+: malformed XML/u],
    ['deep nesting', weaknesses(`<Weakness ID="5" Name="x">${'<a>'.repeat(200)}`), /deeper than 100/u],
    [
      'bytes that are not UTF-8',
      Buffer.concat([Buffer.from(xml('')), Buffer.from([0xff])]),
      /not valid UTF-8/u,
    ],
    ['malformed JSON', '{\n"Weaknesses":\n[}', /^Line 3: malformed JSON\.$/u],
    [
      'malformed JSON after an entry',
      '{"Weaknesses":[{"ID":1,"Name":"x","Description":""},\n\n{"ID":2,]',
      /^Line 3: malformed/u,
    ],
    [
      'malformed JSON between entries',
      '{"Weaknesses":[{"ID":1,"Name":"x","Description":""}\n{}]',
      /^Line 2: malformed/u,
    ],
    [
      'JSON that is not complete',
      '{"Weaknesses":[{"ID":1,"Name":"x","Description":""}',
      /^Line 1: malformed JSON\.$/u,
    ],
    ['malformed JSON in a value that is not read', '{\n"a":\n[01],"Weaknesses":[]}', /^Line 3: malformed/u],
    ['deeply nested JSON', `{"a":${'['.repeat(200)}${']'.repeat(200)}}`, /deeper than 128 levels/u],
    ['two lists of weaknesses', '{"Weaknesses":[],\n"Weaknesses":[]}', /^Line 2: "Weaknesses" occurs twice/u],
    ['weaknesses that are not a list', '{"Weaknesses":{}}', /^Weaknesses: a list is expected\.$/u],
    ['a long version', '{"ContentVersion":1,"Weaknesses":[]}', /^ContentVersion: /u],
    ['JSON without weaknesses', '{"vulnerabilities":[]}', /has no Weaknesses/u],
    ['a name of a wrong type', json({ Weaknesses: [{ ID: '5', Name: 5 }] }), /^Weaknesses\[0\]\.Name: /u],
    ['a damaged ZIP file', zip(full).subarray(0, 200), /damaged|cannot be unpacked/u],
    ['an encrypted ZIP file', Buffer.from(`PK\u0003\u0004${'\u0001'.repeat(60)}`), /cannot be unpacked/u],
    ['text', 'CWE-79', /neither XML, a JSON object nor a ZIP file/u],
  ])('refuses %s and says where', async (_name, content, message) => {
    await expect(read(content, 'catalogue')).rejects.toThrow(message);
  });

  const within = (inside: string) => weaknesses(`<Weakness ID="5" Name="x">${inside}</Weakness>`);
  it.each<[string, string, RegExp]>([
    [
      'an entry of empty elements',
      within('<a/>'.repeat(40_000)),
      /^Line 3: one entry is longer than 4 MB\.$/u,
    ],
    [
      'an element with many attributes',
      within(`<a ${Array.from({ length: 40_000 }, (_, n) => `a${n}=""`).join(' ')}/>`),
      /^Line 3: one entry is longer than 4 MB\.$/u,
    ],
    [
      'elements outside of entries',
      weaknesses('<a/>'.repeat(1_000_000)),
      /^Line 3: the catalogue is longer than 128 MB\.$/u,
    ],
    [
      'one text of many entities',
      within('&lt;'.repeat(1_100_000)),
      /^Line 3: one text, tag or comment is longer than 4 MB\.$/u,
    ],
    [
      'a document type that does not end',
      `<!DOCTYPE a [${'<!a'.repeat(1_500_000)}`,
      /^Line 1: one text, tag or comment is longer than 4 MB\.$/u,
    ],
    [
      'an entry of JSON with many values',
      `{"ContentVersion":"1.0",\n"Weaknesses":[{"ID":1,"Name":"x","y":[${'{},'.repeat(40_000)}{}]}]}`,
      /^Line 2: one entry is longer than 4 MB\.$/u,
    ],
    [
      'a long value of JSON that is not read',
      `{"ContentVersion":"1.0","x":"${'a'.repeat(5_000_000)}"}`,
      /^Line 1: one entry is longer than 4 MB\.$/u,
    ],
  ])('refuses %s before it needs much memory', async (_name, content, message) => {
    await expect(read(content, 'catalogue', 65_536)).rejects.toThrow(message);
  });

  it('does not count punctuation within texts of JSON', async () => {
    const text = String.raw`a \" , [ { b `.repeat(3000);
    const Weaknesses = Array.from({ length: 120 }, (_, n) => ({ ID: n + 1, Name: 'x', Description: text }));
    const content = await read(JSON.stringify({ ContentVersion: '1.0', Weaknesses }), 'cwe.json', 65_536);
    expect(content.entries).toHaveLength(120);
  });

  it(
    'reads a catalogue that relates its entries to one of them 100,000 times',
    { timeout: 10_000 },
    async () => {
      const Weaknesses = Array.from({ length: 21 }, (_, n) => ({
        ID: n + 1,
        Name: 'x',
        Description: 'd',
        RelatedWeaknesses: Array.from({ length: n === 0 ? 0 : 5000 }, (_unused, view) => ({
          Nature: 'ChildOf',
          CweID: '1',
          ViewID: String(view),
        })),
      }));
      const { entries } = await read(
        JSON.stringify({ ContentVersion: '1.0', Weaknesses }),
        'cwe.json',
        65_536,
      );
      expect(entries[0]?.data.Weaknesses).toHaveLength(100_000);
    },
  );

  it('refuses entries that are longer than 12 MB together', async () => {
    const Weaknesses = Array.from({ length: 300 }, (_, n) => ({
      ID: n + 1,
      Name: 'x',
      Description: 'd'.repeat(45_000),
    }));
    await expect(
      read(JSON.stringify({ ContentVersion: '1.0', Weaknesses }), 'cwe.json', 65_536),
    ).rejects.toThrow('The entries of the catalogue are longer than 12 MB.');
  });

  it('refuses a ZIP file with more than 64 MiB of JSON', { timeout: 30_000 }, async () => {
    const bomb = zip(`{"Weaknesses":[]${' '.repeat(65 * 1024 * 1024)}}`);
    await expect(read(bomb, 'a.zip', 65_536)).rejects.toThrow('The JSON is larger than 64 MiB.');
  });

  it('refuses a ZIP file that expands beyond 128 MiB', { timeout: 30_000 }, async () => {
    const bomb = zip(`${xml('').slice(0, -20)}${`<a/>${' '.repeat(1024 * 1024)}`.repeat(130)}`);
    await expect(read(bomb, 'a.zip', 65_536)).rejects.toThrow('The unpacked file is larger than 128 MiB.');
  });
});

const longText = 'd '.repeat(20_000);
const long = (id: number) => ({ ID: id, Name: 'x', Description: longText });
const longXml = (id: number) =>
  `<Weakness ID="${id}" Name="x"><Description>${longText.slice(0, -1)}</Description></Weakness>`;

describe('readCatalogue', () => {
  it.each([
    ['XML', Buffer.from(full)],
    ['ZIP', zip(full)],
    ['JSON', Buffer.from(json())],
  ])('reads %s in a thread as parseCatalogue does', async (_form, file) => {
    expect(await readCatalogue(pieces(file, 100), 'a')).toEqual(await read(file, 'a'));
  });

  it('passes on what reading the file throws', async () => {
    async function* broken(): AsyncGenerator<Buffer> {
      yield Buffer.from(json().slice(0, 200));
      throw new Error('The content is gone');
    }
    await expect(readCatalogue(broken(), 'a.json')).rejects.toThrow('The content is gone');
  });

  it.each([
    ['JSON', '{"ContentVersion":"1.0","Weaknesses":[', (id: number) => JSON.stringify(long(id)) + ','],
    ['XML', '<Weakness_Catalog Version="1.0"><Weaknesses>', (id: number) => longXml(id)],
  ])('reads a catalogue as %s only until its entries have 12 MB', async (_form, start, entryOf) => {
    let sent = 0;
    let isEnded = false;
    async function* endless(): AsyncGenerator<Buffer> {
      try {
        yield Buffer.from(start);
        for (let id = 1; sent < 100_000_000; id += 1) {
          const part = Buffer.from(entryOf(id));
          sent += part.length;
          yield part;
        }
      } finally {
        isEnded = true;
      }
    }
    await expect(readCatalogue(endless(), 'a')).rejects.toThrow(
      'The entries of the catalogue are longer than 12 MB.',
    );
    expect(sent).toBeLessThan(13_000_000);
    expect(isEnded).toBe(true);
  });

  it('refuses a file with the message of the thread', async () => {
    const refused = readCatalogue(pieces(Buffer.from('{\n"Weaknesses":\n[}'), 5), 'a.json');
    await expect(refused).rejects.toThrow(new CatalogueFault('Line 3: malformed JSON.'));
    await expect(refused).rejects.toBeInstanceOf(CatalogueFault);
  });
});
