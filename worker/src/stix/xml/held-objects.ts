import { strictestTlp, type MappedObject } from '@riskboard/domain';
import type { ReadObject, ReportWriter } from '../report-writer.ts';
import { largestConstruct } from './construct-tree.ts';

/** Most objects that wait for the end of a construct that is not kept. */
const mostHeld = 10_000;

/**
 * Objects inside the outermost open construct, which closes last but comes first in the file, and may have a label for
 * them.
 */
export class HeldObjects {
  readonly #writer: ReportWriter;
  #objects: { object: ReadObject; result: MappedObject }[] = [];
  /** Characters of their constructs. */
  #size = 0;

  constructor(writer: ReportWriter) {
    this.#writer = writer;
  }

  get isEmpty(): boolean {
    return this.#objects.length === 0;
  }

  /** So many or so large that they are written before the construct around them ends. */
  get isFull(): boolean {
    return this.#objects.length > mostHeld || this.#size > largestConstruct;
  }

  add(object: ReadObject, result: MappedObject): void {
    this.#objects.push({ object, result });
  }

  /** A construct begins around the next ones. */
  begin(): void {
    this.#size = 0;
  }

  /** @param characters of a construct whose objects are held */
  grow(characters: number): void {
    this.#size += characters;
  }

  /** Gives the objects after this one, which it contains, at least this label. */
  label(ordinal: number, tlp: string): void {
    // Those inside it are the last ones: it was defined before them, and is open.
    for (let at = this.#objects.length - 1; at >= 0; at -= 1) {
      const held = this.#objects[at];
      if (held === undefined || held.object.ordinal <= ordinal) return;
      for (const { data } of held.result.records) data.tlp = strictestTlp([data.tlp, tlp]) ?? tlp;
    }
  }

  /** Writes all of them in the order of the file. */
  release(): void {
    this.#size = 0;
    const held = this.#objects.toSorted((a, b) => a.object.ordinal - b.object.ordinal);
    this.#objects = [];
    for (const { object, result } of held) this.#writer.write(object, result);
  }
}
