import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { seeded } from '../support/seeded.ts';
import { stix12, stix20, stix21 } from '../support/sample-reports.ts';

/** One bad input. */
export interface HostileCase {
  name: string;
  /** Ends in .json, .xml or .csv, as the upload requires. */
  fileName: string;
  content: Buffer;
}

export interface Suite {
  name: string;
  cases: () => AsyncIterable<HostileCase> | Iterable<HostileCase>;
}

type Mutation = (content: Buffer, random: () => number) => Buffer;

const at = (content: Buffer, random: () => number): number => Math.floor(random() * content.length);

const insertions = [
  '\0',
  '\u0001',
  '"',
  '\\',
  '\\ud83d',
  '{',
  ']',
  '<',
  '&',
  '&#0;',
  '&x;',
  '-->',
  ']]>',
  '1e999',
  '\u2028',
];

const mutations: Record<string, Mutation> = {
  'cut off': (content, random) => content.subarray(0, at(content, random)),
  'without a part': (content, random) => {
    const from = at(content, random);
    return Buffer.concat([content.subarray(0, from), content.subarray(from + 1 + Math.floor(random() * 40))]);
  },
  'with a part twice': (content, random) => {
    const from = at(content, random);
    const part = content.subarray(from, from + 1 + Math.floor(random() * 200));
    return Buffer.concat([content.subarray(0, from), part, content.subarray(from)]);
  },
  'with a changed byte': (content, random) => {
    const changed = Buffer.from(content);
    changed[at(content, random)] = Math.floor(random() * 256);
    return changed;
  },
  'with a strange character': (content, random) => {
    const from = at(content, random);
    const strange = insertions[Math.floor(random() * insertions.length)] ?? '';
    return Buffer.concat([content.subarray(0, from), Buffer.from(strange), content.subarray(from)]);
  },
};

const valid = [
  { fileName: 'report.json', content: stix21.buffer },
  { fileName: 'report.json', content: stix20.buffer },
  { fileName: 'report.xml', content: stix12.buffer },
];

/** Valid reports with one random change each. */
export const changedReports = (count: number, seed: number): Suite => ({
  name: 'changed reports',
  *cases() {
    const random = seeded(seed);
    const kinds = Object.entries(mutations);
    for (let n = 0; n < count; n += 1) {
      const [kind = '', mutate] = kinds[n % kinds.length] ?? [];
      const { fileName, content } = valid[Math.floor(n / kinds.length) % valid.length] ?? {};
      if (!mutate || !content || !fileName) continue;
      yield { name: `${n} ${kind}`, fileName: `${n}-${fileName}`, content: mutate(content, random) };
    }
  },
});

const repeated = (text: string, times: number): string => text.repeat(times);
const levels = 100_000;

const entity = (declarations: string, use: string): string =>
  `<?xml version="1.0"?><!DOCTYPE x [${declarations}]><stix:STIX_Package xmlns:stix="http://stix.mitre.org/stix-1" version="1.2">${use}</stix:STIX_Package>`;
const inPackage = (content: string): string =>
  `<stix:STIX_Package xmlns:stix="http://stix.mitre.org/stix-1" version="1.2">${content}</stix:STIX_Package>`;
const doublings = Array.from({ length: 30 }, (_, n) => `<!ENTITY e${n + 1} "&e${n};&e${n};">`).join('');

const files: Record<string, string | Buffer> = {
  'empty.json': '',
  'blank.json': ' \n',
  'mark.json': '\uFEFF',
  'zeros.json': Buffer.alloc(5000),
  'gzip.json': gzipSync(stix21.buffer),
  'pdf.json': '%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n1 0 obj',
  'png.json': Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
  'utf-16-le.json': Buffer.from(`\uFEFF${stix21.buffer.toString('utf8')}`, 'utf16le'),
  'utf-16-without-mark.json': Buffer.from(stix21.buffer.toString('utf8'), 'utf16le'),
  'latin-1.json': Buffer.from(stix21.buffer.toString('utf8').replace('Crane', 'Gr\u00fc'), 'latin1'),
  'deep-arrays.json': repeated('[', levels),
  'deep-objects.json': repeated('{"a":', levels),
  'deep-closed.json': `{"type":"bundle","objects":[${repeated('[', levels)}${repeated(']', levels)}]}`,
  'long-number.json': `{"type":"bundle","objects":[{"type":"vulnerability","name":${repeated('9', 200_000)}}]}`,
  'long-exponent.json': '{"type":"bundle","objects":[1e99999999]}',
  'long-text.json': `{"type":"bundle","id":"${repeated('x', 5_000_000)}","objects":[]}`,
  'many-keys.json': `{"type":"bundle","objects":[{${Array.from({ length: 100_000 }, (_, n) => `"k${n}":0`).join()}}]}`,
  'same-keys.json': `{"type":"bundle",${repeated('"type":"bundle",', 50_000)}"objects":[]}`,
  'prototype.json':
    '{"type":"bundle","__proto__":{"objects":[]},"constructor":{"prototype":{"x":1}},"objects":[]}',
  'unclosed-text.json': '{"type":"bundle","objects":[{"type":"vulnerability","name":"x',
  'comment.json': '{"type":"bundle",/* a comment */"objects":[]}',
  'single-quotes.json': "{'type':'bundle','objects':[]}",
  'two-documents.json': `${stix21.buffer.toString('utf8')}${stix20.buffer.toString('utf8')}`,
  'other-json.json': '{"name":"package","version":"1.0.0","dependencies":{}}',
  'lists.json': '[[[]],{"objects":{}},null]',
  'page.xml': '<!doctype html><html><body><p>Not found</p></body></html>',
  'empty.xml': '<?xml version="1.0"?>',
  'cut.xml': '<stix:STIX_Package xmlns:stix="http://stix.mitre.org/stix-1"><stix:Indicators>',
  'deep.xml': repeated('<a>', levels),
  'many-attributes.xml': inPackage(
    `<x ${Array.from({ length: 100_000 }, (_, n) => `a${n}="1"`).join(' ')}/>`,
  ),
  'long-attribute.xml': inPackage(`<x a="${repeated('y', 5_000_000)}"/>`),
  'long-name.xml': `<${repeated('n', 1_000_000)}/>`,
  'entities-doubled.xml': entity(`<!ENTITY e0 "x">${doublings}`, '&e30;'),
  'entity-repeated.xml': entity(`<!ENTITY e "${repeated('x', 100_000)}">`, repeated('&e;', 20_000)),
  'entity-of-file.xml': entity('<!ENTITY e SYSTEM "file:///etc/passwd">', '&e;'),
  'entity-of-address.xml': entity('<!ENTITY % e SYSTEM "http://127.0.0.1:9/x.dtd"> %e;', ''),
  'inclusion.xml': inPackage(
    '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file:///etc/passwd"/>',
  ),
  'wrong-encoding.xml': '<?xml version="1.0" encoding="utf-32"?><stix:STIX_Package/>',
  'unknown-prefix.xml': '<stix:STIX_Package version="1.2"/>',
  'wrong-nesting.xml': inPackage('<a><b></a></b>'),
  'bare-ampersand.xml': inPackage('<a>AT & T</a>'),
  'json-as-xml.xml': stix21.buffer,
  'xml-as-json.json': stix12.buffer,
};

/** Files that are broken as a whole, or try to exhaust their reader. */
export const brokenFiles: Suite = {
  name: 'broken files',
  *cases() {
    for (const [fileName, content] of Object.entries(files))
      yield { name: fileName, fileName, content: Buffer.from(content) };
  },
};

const endings = new Set(['.json', '.xml', '.csv']);

/** Files above this size are not read. */
const largestFile = 100_000_000;

/** Every file of a folder and its subfolders, with any content. */
export const folder = (root: string): Suite => ({
  name: path.basename(root),
  async *cases() {
    for (const name of (await readdir(root, { recursive: true })).toSorted()) {
      const file = path.join(root, name);
      const { size, ...entry } = await stat(file).then((found) => ({
        size: found.size,
        isFile: found.isFile(),
      }));
      if (!entry.isFile || size > largestFile) continue;
      const content = await readFile(file);
      const ending = path.extname(name).toLowerCase();
      const looksLikeXml = content.subarray(0, 200).toString('latin1').trimStart().startsWith('<');
      // Files of other folders may have the same name, and a report replaces the one of its name.
      const flatName = name.replaceAll(path.sep, '_').slice(-150);
      const fileName = endings.has(ending) ? flatName : `${flatName}${looksLikeXml ? '.xml' : '.json'}`;
      yield { name, fileName, content };
    }
  },
});
