/** Vectors that are kept; CVSS 3.1 has 2,592 base vectors, and a report repeats a few of them. */
const mostKnown = 4096;

/**
 * Results by vector, which are all dropped when there are too many. Reading and scoring each vector again took a quarter of
 * the time of reading 100,000 vulnerabilities.
 */
export class KnownVectors<Result> {
  readonly #results = new Map<string, Result>();

  get(vector: string): Result | undefined {
    return this.#results.get(vector);
  }

  /** @returns the result */
  keep(vector: string, result: Result): Result {
    if (this.#results.size >= mostKnown) this.#results.clear();
    this.#results.set(vector, result);
    return result;
  }
}
