import { arrayElement } from './text-format.ts';

/** Rows gathered column by column, each as the text of an array: one statement takes them apart with `unnest`. */
export class ColumnArrays {
  readonly #elements: string[];
  #rows = 0;
  #length = 0;

  constructor(columns: number) {
    this.#elements = Array.from({ length: columns }, () => '');
  }

  get rows(): number {
    return this.#rows;
  }

  /** Characters gathered. */
  get length(): number {
    return this.#length;
  }

  /** Adds a row, its cells in the order of the columns. */
  add(...cells: (string | number | null)[]): void {
    const separator = this.#rows === 0 ? '' : ',';
    for (let index = 0; index < cells.length; index += 1) {
      const element = separator + arrayElement(cells[index] ?? null);
      this.#elements[index] += element;
      this.#length += element.length;
    }
    this.#rows += 1;
  }

  /** An array for each column, as PostgreSQL reads it. */
  texts(): string[] {
    return this.#elements.map((elements) => `{${elements}}`);
  }
}
