import { BackupError } from '../backup-error.ts';

/** PostgreSQL, COPY, Binary Format: signature, flags, and the length of an extension. */
const signature = Buffer.from('PGCOPY\n\u00FF\r\n\0', 'latin1');
const headBytes = signature.length + 8;
const lastRow = -1;
const nullField = -1;

const malformed = (): BackupError => new BackupError('The data of a table has no valid structure.');

/** Counts the rows of a binary COPY whose bytes arrive in parts. Keeps at most a few bytes. */
export class RowCounter {
  #rows = 0;
  #fields = 0;
  /** Bytes of a value that are still to come. */
  #skip = 0;
  #step: 'head' | 'row' | 'field' | 'ended' = 'head';
  #carry: Buffer = Buffer.alloc(0);

  push(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length) {
      if (this.#skip > 0) {
        const passed = Math.min(this.#skip, bytes.length - at);
        this.#skip -= passed;
        at += passed;
        continue;
      }
      if (this.#step === 'ended') throw malformed();
      const missing = this.#needed() - this.#carry.length;
      if (this.#carry.length === 0 && bytes.length - at >= missing) {
        this.#advance(bytes, at);
        at += missing;
        continue;
      }
      const part = bytes.subarray(at, at + missing);
      this.#carry = Buffer.concat([this.#carry, part]);
      at += part.length;
      if (part.length < missing) return;
      const whole = this.#carry;
      this.#carry = Buffer.alloc(0);
      this.#advance(whole, 0);
    }
  }

  /** @throws BackupError when the data ends within a row */
  end(): number {
    if (this.#step !== 'ended') throw malformed();
    return this.#rows;
  }

  #needed(): number {
    if (this.#step === 'head') return headBytes;
    return this.#step === 'row' ? 2 : 4;
  }

  #advance(bytes: Buffer, at: number): void {
    if (this.#step === 'head') {
      if (!bytes.subarray(at, at + signature.length).equals(signature)) throw malformed();
      this.#skip = bytes.readUInt32BE(at + headBytes - 4);
      this.#step = 'row';
      return;
    }
    if (this.#step === 'row') {
      const fields = bytes.readInt16BE(at);
      if (fields === lastRow) this.#step = 'ended';
      else if (fields < 0) throw malformed();
      else this.#beginRow(fields);
      return;
    }
    const length = bytes.readInt32BE(at);
    if (length < nullField) throw malformed();
    this.#skip = Math.max(0, length);
    this.#fields -= 1;
    if (this.#fields === 0) this.#step = 'row';
  }

  #beginRow(fields: number): void {
    this.#rows += 1;
    this.#fields = fields;
    if (fields > 0) this.#step = 'field';
  }
}
