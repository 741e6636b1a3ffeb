import { countValues, findJsonFault, formatCount } from '@riskboard/domain';
import { type JsonHandler, type JsonSlice, JsonSlicer, JsonSyntaxError } from '@riskboard/json';
import { z } from 'zod';
import { CatalogueFault, type CatalogueContent } from './catalogue.ts';
import { CatalogueEntries, longestEntry, nodeCost } from './catalogue-entries.ts';
import { restEntry } from './rest-entries.ts';

const Head = z.object({
  ContentVersion: z.string().max(20).optional(),
  ContentDate: z.string().max(40).optional(),
  License: z.string().max(20_000).optional(),
});

type List = keyof typeof restEntry;
const isList = (name: string): name is List => Object.hasOwn(restEntry, name);

/** Where a value is, as in Weaknesses[12].Name. */
const pathOf = (path: readonly PropertyKey[]): string =>
  path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .slice(1);

function newlinesIn(text: string | Buffer): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/**
 * Reads a JSON file with replies of MITRE's CWE REST API or in the compact shape (ContentVersion, Weaknesses) part by part: one
 * entry at a time is parsed.
 */
export class CatalogueJsonReader implements JsonHandler {
  readonly #slicer = new JsonSlicer(this, longestEntry);
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  readonly #entries = new CatalogueEntries();
  readonly #head = new Map<string, unknown>();
  readonly #lists = new Set<List>();
  /** Of the last member. */
  #name = '';
  /** Of the next element of its list. */
  #index = 0;
  /** The current part, its offset in the file and the line in which it starts. */
  #part: Buffer = Buffer.alloc(0);
  #partStart = 0;
  #partLine = 1;

  /** @throws CatalogueFault with the line or the path of the value, and what CatalogueEntries throws */
  push(bytes: Buffer): void {
    this.#decode(bytes, true);
    this.#part = bytes;
    this.#guard(() => this.#slicer.push(bytes));
    this.#partLine += newlinesIn(bytes);
    this.#partStart += bytes.length;
    this.#part = Buffer.alloc(0);
  }

  /** @throws CatalogueFault for an incomplete file, and what CatalogueEntries throws */
  end(versionOfName: string | undefined): CatalogueContent {
    this.#decode(new Uint8Array(), false);
    this.#guard(() => this.#slicer.end());
    if (!this.#lists.has('Weaknesses'))
      throw new CatalogueFault('The JSON has no Weaknesses: it is no CWE catalogue.');
    const { ContentVersion, ContentDate, License } = this.#valid(Head, Object.fromEntries(this.#head), []);
    return this.#entries.complete({
      version: ContentVersion ?? versionOfName,
      date: ContentDate?.slice(0, 10),
      ...(License?.includes('MITRE') && { notice: License }),
    });
  }

  open(): void {
    this.#name = '';
  }

  close(): void {
    this.#name = '';
  }

  name(slice: JsonSlice): boolean {
    const name = String(this.#parse(slice));
    this.#name = name;
    if (!isList(name)) return false;
    if (this.#lists.has(name)) throw this.#fault(slice.at, `"${name}" occurs twice.`);
    this.#lists.add(name);
    return true;
  }

  list(): void {
    this.#index = 0;
  }

  member(slice: JsonSlice): void {
    const name = this.#name;
    const value = this.#parse(slice);
    if (isList(name) && value !== null) throw new CatalogueFault(`${name}: a list is expected.`);
    if (Object.hasOwn(Head.shape, name)) this.#head.set(name, value);
  }

  element(slice: JsonSlice): void {
    const name = this.#name as List;
    const value = this.#parse(slice);
    this.#entries.add(this.#valid(restEntry[name], value, [name, this.#index]));
    this.#index += 1;
  }

  /** @param path of the value in the file */
  #valid<T>(schema: z.ZodType<T>, value: unknown, path: readonly PropertyKey[]): T {
    const { data, error } = schema.safeParse(value);
    if (error === undefined) return data;
    const [issue] = error.issues;
    throw new CatalogueFault(
      `${pathOf([...path, ...(issue?.path ?? [])])}: ${issue?.message ?? 'not readable.'}`,
    );
  }

  /** @throws CatalogueFault for a value that is not JSON or needs much memory */
  #parse({ text, problem, at, object }: JsonSlice): unknown {
    if (problem === 'too-deep') throw this.#fault(at, 'the JSON is nested deeper than 128 levels.');
    const mostValues = (longestEntry - (text?.length ?? longestEntry)) / nodeCost;
    if (text === undefined || countValues(text, mostValues).count > mostValues)
      throw this.#fault(at, 'one entry is longer than 4 MB.');
    if (object !== undefined) return object;
    try {
      return JSON.parse(text) as unknown;
    } catch (cause) {
      const rest = newlinesIn(text.slice(findJsonFault(text).offset));
      const line = this.#lineOf(at + Buffer.byteLength(text)) - rest;
      throw new CatalogueFault(`Line ${formatCount(line)}: malformed JSON.`, { cause });
    }
  }

  #decode(bytes: Uint8Array, stream: boolean): void {
    try {
      this.#decoder.decode(bytes, { stream });
    } catch (cause) {
      throw new CatalogueFault('The file is not valid UTF-8.', { cause });
    }
  }

  #guard(work: () => void): void {
    try {
      work();
    } catch (cause) {
      if (!(cause instanceof JsonSyntaxError)) throw cause;
      throw new CatalogueFault(`Line ${formatCount(this.#lineOf(cause.offset))}: malformed JSON.`, { cause });
    }
  }

  /** The line of an offset in the current part; of an earlier one, the line in which the part starts. */
  #lineOf(offset: number): number {
    return this.#partLine + newlinesIn(this.#part.subarray(0, Math.max(0, offset - this.#partStart)));
  }

  #fault(offset: number, message: string): CatalogueFault {
    return new CatalogueFault(`Line ${formatCount(this.#lineOf(offset))}: ${message}`);
  }
}
