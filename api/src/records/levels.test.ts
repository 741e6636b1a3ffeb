import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Person, signUp } from '../testing/person.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
let ada: Person;
beforeAll(async () => {
  api = await startApi();
  ada = await signUp(api);
  const project = await ada.post('/api/projects', { name: 'P', description: 'd', startDate: '2026-01-01' });
  const { _id: projectId } = project.json<{ _id: string }>();
  for (const level of [1, 2, 3, '']) {
    const one = { name: `${level}`.padStart(1, '-'), description: 'd' };
    await ada.post('/api/threats', {
      ...one,
      motivation: level,
      capability: level,
      likelihood: level,
      impact: level,
    });
    await ada.post('/api/assets', {
      ...one,
      projectId,
      assetTypeId: 1,
      criticality: level,
      confidentialityLevel: level,
      integrityLevel: level,
      availabilityLevel: level,
    });
  }
});
afterAll(() => api.close());

const threats = ['motivation', 'capability', 'likelihood', 'impact'].map((field) => ['threats', field]);
const assets = ['criticality', 'confidentialityLevel', 'integrityLevel', 'availabilityLevel'].map((field) => [
  'assets',
  field,
]);

describe('a scale can be filtered by a range, like any number (contract, HTTP)', () => {
  it.each([...threats, ...assets])('%s by %s', async (noun, field) => {
    const names = async (query: string) => {
      const answer = await ada.get(`/api/${noun}?sort=name&${query}`);
      return answer.json<Record<string, { name: string }[]>>()[noun ?? '']?.map(({ name }) => name);
    };
    expect(await names(`${field}Min=2`)).toEqual(['2', '3']);
    expect(await names(`${field}Max=2`)).toEqual(['1', '2']);
    expect(await names(`${field}Min=2&${field}Max=2`)).toEqual(['2']);
    expect(new Set(await names(`${field}Min=3&${field}=N/A`))).toEqual(new Set(['3', '-']));
    expect((await ada.get(`/api/${noun}?${field}Min=high`)).statusCode).toBe(422);
  });
});
