import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { openapiDocument } from './openapi-document.ts';

interface Operation {
  summary?: string;
  security?: unknown[];
  responses: Record<string, { content?: Record<string, { schema: { $ref?: string } }> }>;
}

let text: string;
let document: {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: object };
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
    expect(operations.length).toBeGreaterThanOrEqual(28);
    for (const { summary, responses } of operations) {
      expect(summary).toBeTruthy();
      expect(Object.keys(responses).some((status) => status.startsWith('2'))).toBe(true);
      for (const status of ['4XX', '5XX'])
        expect(responses[status]?.content?.['application/json']?.schema).toEqual({
          $ref: '#/components/schemas/Error',
        });
    }
  });

  it('refers to nothing that it lacks, and lacks nothing it holds', () => {
    const wanted = new Set([...text.matchAll(/"#\/components\/schemas\/(\w+)"/gu)].map((match) => match[1]));
    expect(wanted).toEqual(new Set(Object.keys(document.components.schemas)));
  });

  it('says which calls need no session', () => {
    expect(document.paths['/api/auth/login']?.['post']?.security).toEqual([]);
    expect(document.paths['/api/jobs']?.['get']?.security).toBeUndefined();
  });
});
