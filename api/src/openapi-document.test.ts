import { readFile } from 'node:fs/promises';
import { entities, type Field, type ServedEndpoint, webhookTypes } from '@riskboard/contract';
import { contract, ServerMessage } from '@riskboard/contract/schemas';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openapiDocument } from './openapi-document.ts';
import { documentedPath } from './testing/endpoints/endpoints.ts';

const endpoints: ServedEndpoint[] = Object.values(contract).flatMap((table) => Object.values(table));

interface Operation {
  summary?: string;
  description?: string;
  security?: unknown[];
  operationId?: string;
  requestBody?: { required?: boolean };
  parameters?: { in: string; name: string; schema: object; description?: string }[];
  tags?: string[];
  responses: Record<
    string,
    {
      description?: string;
      content?: Record<string, { schema: { $ref?: string } }>;
      headers?: Record<string, object>;
    }
  >;
}

const operationOf = (endpoint: ServedEndpoint): Operation | undefined =>
  document.paths[documentedPath(endpoint)]?.[endpoint.method.toLowerCase()];

const headersOf = (operation: Operation | undefined): string[] =>
  (operation?.parameters ?? []).flatMap((parameter) => (parameter.in === 'header' ? parameter.name : []));

const repliesWith = (operation: Operation | undefined, header: string): string[] =>
  Object.entries(operation?.responses ?? {}).flatMap(([status, { headers = {} }]) =>
    header in headers ? status : [],
  );

/** The schemas of a document with their locations: those of parameters, bodies and replies, and the named ones. */
function* schemasIn(node: unknown, path: string): Generator<[path: string, schema: object]> {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, child] of Object.entries(node) as [string, object][]) {
    if (key === 'schema' || path === '#/components/schemas') yield [`${path}/${key}`, child];
    else yield* schemasIn(child, `${path}/${key}`);
  }
}

interface Documented {
  path: string;
  name: string;
  /** Its schema as JSON. */
  text: string;
}

/** The fields of a schema at any depth. */
function fieldsIn(schema: unknown, path: string): Documented[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {} } = schema as { properties?: object };
  return [
    ...Object.entries(properties).map(([name, one]) => ({ path, name, text: JSON.stringify(one) })),
    ...Object.entries(schema).flatMap(([key, child]) => fieldsIn(child, `${path}/${key}`)),
  ];
}

let text: string;
let document: {
  openapi: string;
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object>; securitySchemes: object };
  webhooks: Record<
    string,
    { post: { requestBody: { content: { 'application/json': { schema: { $ref: string } } } } } }
  >;
};
beforeAll(async () => {
  text = await openapiDocument();
  document = JSON.parse(text) as typeof document;
});

describe('openapi.json', () => {
  it('is up to date with the application; otherwise run pnpm openapi', async () => {
    expect(await readFile(new URL('../../openapi.json', import.meta.url), 'utf8')).toBe(text);
  });

  it('is valid by the schema of OpenAPI 3.1', async () => {
    expect(await new Validator().validate(JSON.parse(text) as Record<string, unknown>)).toMatchObject({
      valid: true,
    });
  });

  it('has schemas that are valid by the meta-schema of JSON Schema 2020-12', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    const schemas = [...schemasIn(document, '#')];
    const problems = schemas.flatMap(([path, schema]) =>
      ajv.validateSchema(schema) === true ? [] : `${path}: ${ajv.errorsText()}`,
    );
    expect(problems).toEqual([]);
    expect(schemas.length).toBeGreaterThan(1000);
  });

  it('has only formats of JSON Schema and OpenAPI, because strict validators refuse others', () => {
    const formats = new Set([...text.matchAll(/"format": "([^"]*)"/gu)].map((match) => match[1]));
    expect(formats).toEqual(new Set(['binary', 'date', 'date-time', 'email', 'uuid']));
  });

  it('documents calendar days as dates, and moments as timestamps', () => {
    const days = new Set(
      Object.values(entities).flatMap(({ fields }) =>
        Object.entries<Field>(fields).flatMap(([name, { type }]) => (type === 'day' ? name : [])),
      ),
    );
    const isTime = (name: string) => /(?:At|Date|Since)$|^at$/u.test(name) && !days.has(name);
    const fields = [...schemasIn(document, '#')].flatMap(([path, schema]) => fieldsIn(schema, path));
    const wrong = fields.filter(({ name, text: shown }) => {
      // N/A, and members that are refused, have no format.
      if (shown.includes('"N/A"') || shown.includes('"not":{}')) return false;
      if (days.has(name.replace(/M(?:in|ax)$/u, ''))) return !shown.includes('"format":"date"');
      return isTime(name.replace(/M(?:in|ax)$/u, '')) && !shown.includes('"format":"date-time"');
    });
    expect(wrong).toEqual([]);
    expect(fields.filter(({ name }) => days.has(name)).length).toBeGreaterThan(10);
    expect(fields.filter(({ name }) => isTime(name)).length).toBeGreaterThan(50);
  });

  it('documents numbers of filters as numbers, filters without unknown members, and categories by their names', () => {
    const fields = [...schemasIn(document, '#')].flatMap(([path, schema]) => fieldsIn(schema, path));
    const queried = Object.values(document.paths)
      .flatMap((path) => Object.values(path))
      .flatMap(({ parameters = [] }) => parameters);
    const scores = [
      ...fields,
      ...queried.map(({ name, schema }) => ({ name, text: JSON.stringify(schema) })),
    ];
    const bounds = scores.filter(({ name }) => /^(?:cvssScore|severity|size)M(?:in|ax)$/u.test(name));
    expect(bounds.length).toBeGreaterThan(10);
    for (const { text: shown } of bounds) {
      const { description: _, ...schema } = JSON.parse(shown) as { description?: string };
      expect(schema).toEqual({ type: 'number' });
    }
    const filters = fields.filter(({ name, text: shown }) => name === 'filter' && shown.includes('"search"'));
    expect(filters.length).toBeGreaterThan(3);
    for (const { text: shown } of filters) expect(shown).toMatch(/"additionalProperties":false\}$/u);
    const categories = fields.filter(({ name, path }) => name === 'category' && path.includes('requestBody'));
    expect(categories.length).toBeGreaterThan(0);
    for (const { text: shown } of categories) expect(shown).toContain('"Cryptography"');
  });

  it('documents the texts of flags in queries, and the factors of CWSS with their values', () => {
    const { parameters = [] } = operationOf(contract.threats.list) ?? {};
    expect(parameters.find(({ name }) => name === 'imported')?.schema).toMatchObject({
      anyOf: [{ type: 'boolean' }, { enum: ['true', 'false'] }],
    });
    const body = JSON.stringify(operationOf(contract.cwss.setFactors)?.requestBody);
    const isValid = new Ajv2020({ strict: false }).compile(
      (JSON.parse(body) as { content: Record<string, { schema: object }> }).content['application/json']
        ?.schema ?? {},
    );
    const valid = [{ TI: { value: 'H', reason: 'x' } }, { TI: { value: 'Q', weight: 0.5, reason: 'x' } }];
    const refused = [{ TI: { value: 'X', reason: 'x' } }, { k5: { value: 'H', reason: 'x' } }];
    expect([...valid, ...refused].map((one) => isValid(one))).toEqual([true, true, false, false]);
  });

  it('documents the rate limit in the replies of every operation that is limited', () => {
    for (const endpoint of endpoints) {
      const isLimited = !endpoint.path.startsWith('/api/health/');
      const statuses = repliesWith(operationOf(endpoint), 'X-RateLimit-Remaining');
      expect([endpoint.path, statuses.length > 0]).toEqual([endpoint.path, isLimited]);
    }
  });

  it('documents the messages of webhooks', () => {
    expect(Object.keys(document.webhooks)).toEqual([...webhookTypes]);
    const [created, test] = Object.values(document.webhooks).map(({ post }) => {
      const { $ref } = post.requestBody.content['application/json'].schema;
      return document.components.schemas[$ref.split('/').at(-1) ?? ''];
    });
    const fields = (schema: object | undefined) =>
      fieldsIn(schema, '').flatMap(({ path, name }) => (path === '/properties/data' ? name : []));
    expect(fields(created)).toEqual(['id', 'kind', 'severity', 'count', 'url', 'rule', 'subjectIds']);
    expect(fields(test)).toEqual(['webhookId', 'message']);
  });

  it('documents every kind of message of the WebSocket, with the actions of changes', () => {
    const { ServerMessage: messages = {} } = document.components.schemas;
    const types = fieldsIn(messages, '').flatMap(({ path, name, text: shown }) =>
      name === 'type' && /^\/oneOf\/\d+$/u.test(path) ? (JSON.parse(shown) as { const: string }).const : [],
    );
    expect(types).toEqual(ServerMessage.options.map(({ shape }) => shape.type.value));
    expect(JSON.stringify(messages)).toContain('"enum":["created","updated","deleted","changed"]');
  });

  it('documents 304 where a call may have If-None-Match, and nowhere else', () => {
    for (const endpoint of endpoints) {
      const operation = operationOf(endpoint);
      const isConditional = headersOf(operation).includes('If-None-Match');
      expect([endpoint.path, operation?.responses['304'] !== undefined]).toEqual([
        endpoint.path,
        isConditional,
      ]);
      expect(operation?.responses['304']?.content).toBeUndefined();
    }
  });

  it('documents what an upload may extract', () => {
    const { parameters = [] } = document.paths['/api/reports/upload']?.['post'] ?? {};
    const extract = parameters.find(({ name }) => name === 'extract');
    expect(JSON.stringify(extract)).toMatch(/`vulnerabilities`, `threats`, separated by commas or repeated/u);
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

  it('describes every reply and every group of operations', () => {
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
    const undescribed = operations.flatMap(({ operationId, responses }) =>
      Object.entries(responses).flatMap(([status, { description = '' }]) =>
        ['', 'Default Response'].includes(description) ? `${operationId} ${status}` : [],
      ),
    );
    expect(undescribed).toEqual([]);
    const used = new Set(operations.flatMap(({ tags = [] }) => tags));
    expect(new Set(document.tags.map(({ name }) => name))).toEqual(used);
    for (const { description } of document.tags) expect(description).toMatch(/^[A-Z].*\.$/u);
  });

  it('describes every parameter, and every field of a record', () => {
    const parameters = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.values(operations).flatMap((operation) =>
        (operation.parameters ?? [])
          .filter(({ description = '' }) => !description.endsWith('.'))
          .map(({ name }) => `${path}: ${name}`),
      ),
    );
    expect(parameters).toEqual([]);
    const { properties } = document.components.schemas['AssetDetail'] as {
      properties: Record<string, { description?: string }>;
    };
    const { fields } = entities.assets;
    for (const [name, field] of Object.entries<Field>(fields))
      if (field.detail) expect(properties[name]?.description).toContain(field.label);
    expect(properties['criticality']?.description).toBe(
      'Criticality: 1 Very Low, 2 Low, 3 Medium, 4 High, 5 Very High.',
    );
  });

  it('references exactly the schemas that it contains, and has that of the WebSocket', () => {
    const wanted = new Set([...text.matchAll(/"#\/components\/schemas\/(\w+)"/gu)].map((match) => match[1]));
    expect(wanted.add('ServerMessage')).toEqual(new Set(Object.keys(document.components.schemas)));
  });

  it('states for every operation whether it needs no authentication, a session, or a session or token', () => {
    for (const endpoint of endpoints) {
      const { path, access, sessionOnly } = endpoint;
      const operation = operationOf(endpoint);
      const security = [{ session: [] }, ...(sessionOnly ? [] : [{ token: [] }])];
      expect([path, operation?.security]).toEqual([path, access === 'public' ? [] : security]);
      const described = { public: 'No authentication required', self: 'Every member' }[access as string];
      expect(operation?.description).toContain(described ?? `Minimum role: ${access}`);
      expect(operation?.description?.includes('API tokens are refused')).toBe(sessionOnly === true);
    }
  });

  it('names every operation by its noun and endpoint', () => {
    const ids = endpoints.map((endpoint) => operationOf(endpoint)?.operationId ?? '');
    expect(new Set(ids).size).toBe(endpoints.length);
    expect(ids.filter((id) => !/^[a-z]\w+$/u.test(id))).toEqual([]);
    expect(operationOf(contract.alertRules.list)?.operationId).toBe('alertRulesList');
  });

  it('documents If-Match and ETag where versions are compared and sent, and Idempotency-Key of creations', () => {
    const { list, get, create, update, delete: remove, revert } = contract.vulnerabilities;
    expect([get, create, update, remove, revert].map((one) => headersOf(operationOf(one)))).toEqual([
      ['If-None-Match'],
      ['Idempotency-Key'],
      ['If-Match'],
      ['If-Match'],
      ['If-Match'],
    ]);
    expect([list, get, create, update, remove].map((one) => repliesWith(operationOf(one), 'ETag'))).toEqual([
      [],
      ['200'],
      ['201'],
      ['200', '412'],
      ['412'],
    ]);
  });

  it('documents Prefer, Preference-Applied and Location of calls that start a job', () => {
    const operation = operationOf(contract.reports.extractVulnerability);
    expect(headersOf(operation)).toEqual(['Prefer']);
    expect(repliesWith(operation, 'Preference-Applied')).toEqual(['200', '202']);
    expect(repliesWith(operation, 'Location')).toEqual(['202']);
    expect(headersOf(operationOf(contract.passwords.forgot))).toEqual([]);
  });

  it('documents Location of created records that have a path, and Retry-After of refused calls', () => {
    const created = [contract.projects.create, contract.batches.create, contract.tokens.create];
    expect(created.map((one) => repliesWith(operationOf(one), 'Location'))).toEqual([['201'], ['201'], []]);
    for (const endpoint of endpoints)
      expect(repliesWith(operationOf(endpoint), 'Retry-After')).toEqual(['429', '5XX']);
  });

  it('requires a body only where a member of it is required', () => {
    const { batches, projects } = contract;
    const required = [batches.create, projects.update, projects.create].map(
      (one) => operationOf(one)?.requestBody?.required,
    );
    expect(required).toEqual([false, false, true]);
  });

  it('documents the media types of streamed replies', () => {
    const typesOf = (endpoint: ServedEndpoint) =>
      Object.keys(operationOf(endpoint)?.responses['200']?.content ?? {});
    expect(text).not.toContain('*/*');
    expect(typesOf(contract.vulnerabilities.export)).toEqual(['text/csv', 'application/json']);
    expect(typesOf(contract.reports.raw)).toEqual(['application/octet-stream']);
    expect(typesOf(contract.vignettes.download)).toEqual(['application/json']);
  });

  it('documents ids in lower case, whole numbers and steps as the server accepts them', () => {
    const { body } = contract.vulnerabilities.create;
    const { properties = {} } = z.toJSONSchema(body, { io: 'input' });
    const shown = JSON.stringify(properties['cveId']);
    const { pattern = '' } = JSON.parse(shown) as { pattern?: string };
    expect(['CVE-2024-1234', 'cve-2024-1234', ''].map((id) => new RegExp(pattern, 'u').test(id))).toEqual([
      true,
      true,
      true,
    ]);
    expect(JSON.stringify(properties['categoryId'])).toContain('"type":"integer"');
    expect(JSON.stringify(properties['cvssScore'])).toContain('"multipleOf":0.1');
    const threat = z.toJSONSchema(contract.threats.create.body, { io: 'input' }).properties ?? {};
    expect(JSON.stringify(threat['motivation'])).toContain('"type":"integer"');
  });

  it('describes both ways to authenticate', () => {
    expect(document.components.securitySchemes).toMatchObject({
      session: { type: 'apiKey', in: 'cookie', name: 'rb_session' },
      token: { type: 'http', scheme: 'bearer' },
    });
  });
});
