import * as contract from '@riskboard/contract';
import path from 'node:path';
import type { Plugin } from 'vite';

/** What a browser asks of an endpoint: where it is, who may, and the field of an upload. */
const asked = ['method', 'path', 'access', 'multipart'] as const;

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const isSchema = (value: Fields) => '_zod' in value;
const isEndpoint = (value: Fields) => asked.slice(0, 3).every((name) => typeof value[name] === 'string');

/** The part of a value that is data; undefined of schemas, of functions, and of what consists of nothing else. */
function dataOf(value: unknown): unknown {
  if (typeof value === 'function') return undefined;
  if (!isObject(value)) return value;
  if (isSchema(value)) return undefined;
  if (Array.isArray(value)) return value.map(dataOf);
  const names = isEndpoint(value) ? asked : Object.keys(value);
  const entries = names.map((name) => [name, dataOf(value[name])]).filter(([, part]) => part !== undefined);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** `contract` is all tables once more, for whoever walks them. */
const { contract: _all, ...nouns } = contract;

/** The contract without its schemas, as a module: endpoints, lists, errors and names. */
export const contractModule = Object.entries(nouns)
  .map(([name, value]) => [name, dataOf(value)] as const)
  .filter(([, data]) => data !== undefined)
  .map(([name, data]) => `export const ${name} = ${JSON.stringify(data)};\n`)
  .join('');

const virtual = '\0contract-data';
const sources = path.join(import.meta.dirname, 'src');

/** Tests hold what the browser sends and gets against the schemas, and need them all. */
const isTest = (file: string) => /\/testing\/|\.test\.tsx?$/u.test(file);

/**
 * `import … from '@riskboard/contract'` in the web gets the contract's data alone: zod and the schemas of every reply
 * would weigh on each page, and a browser has no use for most of them (docs/decisions/0014). Whoever validates
 * imports '@riskboard/contract/schemas', when there is something to validate; a schema asked for here fails the build.
 * The module is made when Vite starts.
 */
export function contractData(): Plugin {
  return {
    name: 'riskboard-contract-data',
    enforce: 'pre',
    resolveId(source, importer = '') {
      const inWeb = importer.startsWith(sources) && !isTest(importer);
      return source === '@riskboard/contract' && inWeb ? virtual : null;
    },
    load: (id) => (id === virtual ? { code: contractModule, moduleSideEffects: false } : null),
  };
}
