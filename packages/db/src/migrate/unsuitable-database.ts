/** The database, its roles or the configured addresses must be changed before this program can use them; the message says how. */
export class UnsuitableDatabase extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UnsuitableDatabase';
  }
}
