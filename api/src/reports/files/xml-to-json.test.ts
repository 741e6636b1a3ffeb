import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { xmlToJson } from './xml-to-json.ts';

async function* parts(...all: readonly string[]): AsyncGenerator<string> {
  yield* all;
}

it('the JSON form is sent whole, and its process ends', async () => {
  const { content, ended } = await xmlToJson(parts('<r a="1"><t>', 'é'.repeat(200_000), '</t></r>'));
  expect(JSON.parse(await text(content))).toEqual({ r: { '@a': '1', t: 'é'.repeat(200_000) } });
  expect(await ended).toBe(true);
});

it('a form that is no longer read ends its process', async () => {
  const { content, ended } = await xmlToJson(parts('<r>', 'x'.repeat(4_000_000), '</r>'));
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
