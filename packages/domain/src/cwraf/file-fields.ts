import { quotedText } from '../stix/clean-text.ts';
import { isObject } from '../stix/json-value.ts';

/** What is wrong with a vignette file. */
export interface VignetteProblem {
  /** Path in the file, as in scorecard[3].subscore; empty for the whole file. */
  readonly path: string;
  readonly message: string;
}

const mostProblems = 50;
const mostWarnings = 20;
/** Characters of a name of the file that a message shows. */
const longestShown = 60;

/** A text of the file as a message shows it. */
export const shownText = (text: string): string => JSON.stringify(quotedText(text, longestShown));

/** The path of a property: `.name`, or `["a name"]` for a name with other characters. */
export const pathOf = (parent: string, key: string): string => {
  if (!/^[a-z_]\w{0,59}$/iu.test(key)) return `${parent}[${shownText(key)}]`;
  return parent === '' ? key : `${parent}.${key}`;
};

/** Collects what is wrong with a file, and what was ignored. */
export class FileReport {
  readonly problems: VignetteProblem[] = [];
  readonly #warnings: string[] = [];
  #others = 0;

  refuse(path: string, message: string): void {
    if (this.problems.length < mostProblems) this.problems.push({ path, message });
  }

  warn(message: string): void {
    if (this.#warnings.length < mostWarnings) this.#warnings.push(message);
    else this.#others += 1;
  }

  get warnings(): readonly string[] {
    return this.#others === 0 ? this.#warnings : [...this.#warnings, `${this.#others} more warnings.`];
  }
}

export interface FileField {
  readonly value: unknown;
  readonly path: string;
}

/** A name of a property in any case and punctuation: 'Business Value Context' is businessvaluecontext. */
const comparable = (key: string): string => key.toLowerCase().replaceAll(/[^a-z0-9]/gu, '');

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

/** The properties of one object of a file, each found by any of its names. */
export class FileFields {
  readonly #fields = new Map<string, FileField & { key: string; again?: string }>();
  readonly #report: FileReport;
  readonly #known = new Set<string>();

  constructor(object: unknown, path: string, report: FileReport) {
    this.#report = report;
    if (!isObject(object)) return;
    for (const [key, value] of Object.entries(object)) {
      const name = comparable(key) || key;
      const first = this.#fields.get(name);
      const field = { key, value, path: pathOf(path, key) };
      if (first === undefined || isEmpty(first.value)) this.#fields.set(name, field);
      else if (!isEmpty(value) && !isSame(value, first.value)) first.again = field.path;
    }
  }

  /** The first of these fields that has a value. @param names as `comparable` writes them */
  take(names: readonly string[]): FileField | undefined {
    const [first, ...others] = names.flatMap((name) => {
      this.#known.add(name);
      const field = this.#fields.get(name);
      return field === undefined || isEmpty(field.value) ? [] : [field];
    });
    for (const { path } of others) this.#report.warn(`${path} was ignored, because ${first?.path} is used.`);
    if (first?.again !== undefined)
      this.#report.refuse(first.again, `${first.again} and ${first.path} are the same field twice.`);
    return first;
  }

  /** Leaves out fields that are not stored, with any values. @param names as `comparable` writes them */
  skip(names: readonly string[]): void {
    for (const name of names) this.#known.add(name);
  }

  /** Whether the object has this field, also an empty one. @param name as `comparable` writes it */
  has(name: string): boolean {
    return this.#fields.has(name);
  }

  /** Fields that were not taken, in the order of the file. */
  rest(): (FileField & { key: string })[] {
    return [...this.#fields].flatMap(([name, field]) => (this.#known.has(name) ? [] : field));
  }
}
