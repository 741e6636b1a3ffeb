import { countValues, statedVersion, type VersionFacts } from '@riskboard/domain';
import { type JsonSlice, mostValues } from '@riskboard/json';

/** Members that are kept: a bundle has five, a single object some dozens. */
export const mostMembers = 10_000;
const largestContainer = 32 * 1024 * 1024;
/** Members that show what an object is. Their values are also kept, if they are small, when the object has a problem. */
const decisiveMembers: ReadonlySet<string> = new Set(['type', 'id', 'spec_version', 'more']);
const smallValue = 1000;
/** Greatest length of a name in `names`: STIX has no longer ones, and ten thousand of them can have the size of the file. */
const longestName = 1000;

/** NUL or a surrogate, escaped: the only way into the text of valid UTF-8. The object itself shows whether a pair is whole. */
const forbiddenEscape = /\\u(?:0000|[dD][89a-fA-F])/;
export const mayBeUnstorable = ({ text = '' }: JsonSlice): boolean =>
  // Most texts have no such escape, and a text is found in a quarter of the time that a pattern takes.
  text.includes(String.raw`\u`) && forbiddenEscape.test(text);

/** An object whose members are read one by one: the root, or an element of the root list. */
export class JsonContainer {
  /** Of the object; its own elements have `/objects/n` below it. */
  readonly location: string;
  /** Without a prototype, so that `__proto__` is an ordinary member. */
  readonly value: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  readonly names = new Set<string>();
  readonly versions = new Set<string>();
  /** An object in its list states a version that is not known. */
  hasUnknownVersion = false;
  name = '';
  /** Its `objects` is a list that is cut into its elements. */
  isCut = false;
  elements = 0;
  problem: JsonSlice['problem'];
  mayBeUnstorable = false;
  /** The member `objects` that is not a list: its offset in the file, and the first character of its value. */
  noList: { at: number; opens: string } | undefined;
  /** Characters of its names and values. */
  #size = 0;
  /** By `countValues`, without those of the first `mostValues` characters, which cannot be too many. */
  #values = 0;

  constructor(location: string) {
    this.location = location;
  }

  get type(): string | undefined {
    const { type } = this.value;
    return typeof type === 'string' ? type : undefined;
  }

  get stated(): string | null {
    const { spec_version } = this.value;
    return typeof spec_version === 'string' ? statedVersion(spec_version) : null;
  }

  get facts(): VersionFacts {
    const { type, stated, versions, elements } = this;
    return { type, stated, versions, elements };
  }

  get hasTooManyMembers(): boolean {
    return this.names.size > mostMembers;
  }

  begin(name: string, slice: JsonSlice): void {
    this.mayBeUnstorable ||= mayBeUnstorable(slice);
    this.name = name;
    this.#size += name.length;
    if (!this.hasTooManyMembers) this.names.add(name.length > longestName ? '(long name)' : name);
    if (this.hasTooManyMembers) this.problem ??= 'too-large';
  }

  /**
   * Keeps the value of the member named last, unless the object is too large.
   * @param check is called with a value that is not parsed, but has a text
   */
  keep(slice: JsonSlice, parse: (slice: JsonSlice) => unknown, check: (slice: JsonSlice) => void): void {
    const { text = '' } = slice;
    const { length } = text;
    const opens = text[0] ?? '{';
    if (this.name === 'objects') this.noList = opens === '[' ? undefined : { at: slice.at, opens };
    this.#size += length;
    this.mayBeUnstorable ||= mayBeUnstorable(slice);
    this.problem ??= this.#sizeProblem(text) ?? slice.problem;
    const isDecisive = decisiveMembers.has(this.name) && length > 0 && length < smallValue;
    if (this.problem === undefined || isDecisive) this.value[this.name] = parse(slice);
    else if (slice.text !== undefined) check(slice);
  }

  /** Whether the object has become too large with the text of a value. */
  #sizeProblem(text: string): JsonSlice['problem'] {
    if (this.#size > largestContainer) return 'too-large';
    if (this.#size > mostValues) this.#values += countValues(text, mostValues).count;
    return this.#values > mostValues ? 'too-many-values' : undefined;
  }
}
