import { readFile } from 'node:fs/promises';
import type { ServedEndpoint } from '@riskboard/contract';
import { contract } from '@riskboard/contract/schemas';
import { beforeAll, describe, expect, it } from 'vitest';
import { openapiDocument } from './openapi-document.ts';

const endpoints: ServedEndpoint[] = Object.values(contract).flatMap((table) => Object.values(table));

interface Operation {
  summary?: string;
  description?: string;
  security?: unknown[];
  responses: Record<string, { content?: Record<string, { schema: { $ref?: string } }> }>;
}

let text: string;
let document: {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: object; securitySchemes: object };
};
beforeAll(async () => {
  text = await openapiDocument();
  document = JSON.parse(text) as typeof document;
});

describe('openapi.json', () => {
  it('is what the application says of itself; else run pnpm openapi', async () => {
    expect(await readFile(new URL('../../openapi.json', import.meta.url), 'utf8')).toBe(text);
  });

  it('documents success and failure of every operation', () => {
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
    expect(operations).toHaveLength(endpoints.length);
    for (const { summary, responses } of operations) {
      expect(summary).toBeTruthy();
      expect(Object.keys(responses).some((status) => status.startsWith('2'))).toBe(true);
      for (const status of ['4XX', '5XX'])
        expect(responses[status]?.content?.['application/json']?.schema).toEqual({
          $ref: '#/components/schemas/Error',
        });
    }
  });

  it('references exactly the schemas that it contains', () => {
    const wanted = new Set([...text.matchAll(/"#\/components\/schemas\/(\w+)"/gu)].map((match) => match[1]));
    expect(wanted).toEqual(new Set(Object.keys(document.components.schemas)));
  });

  it('states for every operation whether it needs no authentication, a session, or a session or token', () => {
    for (const { path, method, access, sessionOnly } of endpoints) {
      const operation = document.paths[path.replace(':id', '{id}')]?.[method.toLowerCase()];
      const security = [{ session: [] }, ...(sessionOnly ? [] : [{ token: [] }])];
      expect([path, operation?.security]).toEqual([path, access === 'public' ? [] : security]);
      const described = { public: 'No authentication required', self: 'Every member' }[access as string];
      expect(operation?.description).toContain(described ?? `Minimum role: ${access}`);
      expect(operation?.description?.includes('API tokens are refused')).toBe(sessionOnly === true);
    }
  });

  it('describes both ways to authenticate', () => {
    expect(document.components.securitySchemes).toMatchObject({
      session: { type: 'apiKey', in: 'cookie', name: 'rb_session' },
      token: { type: 'http', scheme: 'bearer' },
    });
  });
});
