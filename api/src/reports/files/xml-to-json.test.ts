import { text } from 'node:stream/consumers';
import { afterEach, expect, it, vi } from 'vitest';
import { xmlToJson } from './xml-to-json.ts';

// The process gets the least heap.
vi.mock('node:process', async (original) => ({
  ...(await original<typeof import('node:process')>()),
  availableMemory: () => 0,
}));

const { execPath } = process;
afterEach(() => {
  process.execPath = execPath;
  vi.useRealTimers();
});

async function* parts(...all: readonly string[]): AsyncGenerator<string> {
  yield* all;
}

it('the JSON form is sent whole, and its process ends', async () => {
  const { content, ended } = await xmlToJson(parts('<r a="1"><t>', 'é'.repeat(200_000), '</t></r>'));
  expect(JSON.parse(await text(content))).toEqual({ r: { '@a': '1', t: 'é'.repeat(200_000) } });
  expect(await ended).toBe(true);
});

it('a form that is no longer read ends its process', async () => {
  const { content, ended } = await xmlToJson(parts('<r>', 'x'.repeat(1_000_000), '</r>'));
  content.read(1);
  content.destroy();
  expect(await ended).toBe(false);
});

it('what reading the XML throws is thrown', async () => {
  async function* torn(): AsyncGenerator<string> {
    yield '<r>';
    throw new Error('replaced meanwhile');
  }
  await expect(xmlToJson(torn())).rejects.toThrow('replaced meanwhile');
});

it.each([
  ['is nested too deeply', `${'<a>'.repeat(300)}${'</a>'.repeat(300)}`],
  [
    'is too deep at the end of a long one',
    `<r>${'<b/>'.repeat(100_000)}${'<a>'.repeat(300)}${'</a>'.repeat(300)}</r>`,
  ],
])('XML that %s has no form', async (_what, xml) => {
  await expect(xmlToJson(parts(xml))).rejects.toMatchObject({ code: 'invalid' });
});

it('the form has names, lists, empty values and characters as they were written', async () => {
  const long = `x${'🔑'.repeat(100_000)}`;
  const xml = `<r><t k='"'>a\\ï</t><t/><u>${long}</u><v><w/><w>1</w></v></r>`;
  const { content } = await xmlToJson(parts(xml));
  expect(JSON.parse(await text(content))).toEqual({
    r: { t: [{ '#text': 'a\\ï', '@k': '"' }, ''], u: long, v: { w: ['', '1'] } },
  });
});

it('the form has elements and attributes with the names of properties that every object has', async () => {
  const names = [...Object.getOwnPropertyNames(Object.prototype), 'prototype'];
  const elements = names.map((name) => `<${name} ${name}="1">x</${name}><${name}/><a:${name}/>`);
  const { content } = await xmlToJson(parts(`<constructor>${elements.join('')}</constructor>`));
  const expected = names.map((name) => `"${name}":[{"#text":"x","@${name}":"1"},""],"a:${name}":""`);
  expect(await text(content)).toBe(`{"constructor":{${expected.join(',')}}}`);
});

it('references to characters are replaced once', async () => {
  const { content } = await xmlToJson(parts('<r a="&#38;amp;">&#38;amp; &amp;lt; &#x26;#65;</r>'));
  expect(JSON.parse(await text(content))).toEqual({ r: { '@a': '&amp;', '#text': '&amp; &lt; &#65;' } });
});

it('blanks of a text remain around CDATA, comments, instructions, entities and elements, and not at its ends', async () => {
  const xml = `<?xml version="1.0"?>
<?note?>
<r a=" x ">
  <t> See <![CDATA[CVE-1]]> for </t>
  <u>one <!-- c --> two\n <?pi x?> three &amp; <![CDATA[]]> four</u>
  <v><![CDATA[a]]> <![CDATA[b]]></v> <w k="1">
  </w>
  <p>one <b>x</b> two</p>
</r>`;
  const { content } = await xmlToJson(parts(xml));
  expect(JSON.parse(await text(content))).toMatchObject({
    r: {
      '@a': 'x',
      t: 'See CVE-1 for',
      u: { '#text': 'one  two\n  three &  four' },
      v: 'a b',
      w: { '@k': '1' },
      p: { '#text': 'one  two', b: 'x' },
    },
  });
});

it('the form may be larger than the memory of its process', async () => {
  const xml = Array.from({ length: 25 }, () => '\u0001'.repeat(1024 * 1024));
  const { content, ended } = await xmlToJson(parts('<r><![CDATA[', ...xml, ']]></r>'));
  let bytes = 0;
  for await (const part of content) bytes += (part as Buffer).length;
  expect(bytes).toBe('{"r":""}'.length + xml.join('').length * String.raw`\u0001`.length);
  expect(await ended).toBe(true);
});

it('XML that needs more memory than its process may have is too large', async () => {
  const xml = Array.from({ length: 8 }, () => '"'.repeat(1024 * 1024));
  await expect(xmlToJson(parts('<r>', ...xml, '</r>'))).rejects.toMatchObject({ code: 'too_large' });
});

it('a reader that has stalled until the end of the time to read does not keep the process', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { content, ended } = await xmlToJson(parts('<r>', 'x'.repeat(1_000_000), '</r>'));
  await content[Symbol.asyncIterator]().next();
  vi.runAllTimers();
  expect(await ended).toBe(false);
});

it('a process that cannot be started is an error of the request', async () => {
  process.execPath = '/missing/node';
  await expect(xmlToJson(parts('<r/>'))).rejects.toThrow('ENOENT');
});
