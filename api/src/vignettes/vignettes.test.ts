import type { Vignette } from '@riskboard/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { form } from '../testing/form.ts';
import { type Answer, type Person, signUp } from '../testing/person.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
let ada: Person;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  ada = await signUp(api);
});
afterAll(() => api.close());

const url = '/api/reports/vignette';
const cell = { impact: 'Modify data', layer: 'System', subscore: 9, notes: 'Money' };
const shop = { name: 'Shop', scorecardName: 'Shop scorecard', origin: 'Own', scorecard: [cell] };

interface Uploaded {
  success: boolean;
  action: string;
  _id: string;
  id: string;
  name: string;
  scorecardName: string;
  version: number;
  warnings: string[];
}

const upload = (content: unknown, name = 'shop.json', person = ada): Promise<Answer> =>
  person.call({
    method: 'POST',
    url: '/api/reports/upload-vignette',
    ...form({
      field: 'vignetteFile',
      name,
      content: typeof content === 'string' ? content : JSON.stringify(content),
    }),
  });
const uploaded = async (content: unknown, name?: string): Promise<Uploaded> => {
  const answer = await upload(content, name);
  expect([answer.statusCode, answer.body]).toEqual([201, expect.any(String)]);
  return answer.json<Uploaded>();
};
const detail = async (id: string): Promise<Vignette> => (await ada.get(`${url}/${id}`)).json<Vignette>();

describe('an uploaded vignette', () => {
  it('is created, replaced by name in any case, and unchanged when it is the same', async () => {
    const first = await uploaded(shop);
    expect(first).toMatchObject({
      success: true,
      action: 'created',
      id: first._id,
      name: 'Shop',
      scorecardName: 'Shop scorecard',
      version: 1,
      warnings: [],
    });
    const again = await uploaded(shop, 'copy.json');
    expect(again).toMatchObject({ action: 'replaced', id: first.id, version: 1 });
    const changed = await uploaded({ ...shop, name: 'SHOP', scorecard: [{ ...cell, subscore: 3 }] });
    expect(changed).toMatchObject({ action: 'replaced', id: first.id, version: 2 });
    expect(await detail(first.id)).toMatchObject({
      name: 'SHOP',
      version: 2,
      ratedCells: 1,
      originalFilename: 'shop.json',
      versions: [
        { version: 2, by: 'Ada' },
        { version: 1, by: 'Ada' },
      ],
    });
    const earlier = await ada.get(`${url}/${first.id}/versions/1`);
    expect(earlier.json()).toMatchObject({ name: 'Shop', version: 1, scorecard: [cell] });
    expect((await ada.get(`${url}/${first.id}/versions/3`)).statusCode).toBe(404);
  });
});
