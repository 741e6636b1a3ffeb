/** The contract's schemas. They come with zod, and when there is something to validate: no page waits for them. */
export type Schemas = typeof import('./contract-schemas.ts');

let loaded: Schemas | undefined;

/** The schemas if they are here already. */
export const schemasNow = (): Schemas | undefined => loaded;

/**
 * Fetches the schemas, once.
 * @returns undefined when they cannot be had: the server validates all the same, and its words stand at the fields
 */
export async function loadSchemas(): Promise<Schemas | undefined> {
  try {
    loaded ??= await import('./contract-schemas.ts');
  } catch {
    // The connection is away, or a newer build has taken the place of this one.
  }
  return loaded;
}
