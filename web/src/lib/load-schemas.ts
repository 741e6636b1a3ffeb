/** The contract's schemas, with zod. They are loaded when there is something to validate, not with the page. */
export type Schemas = typeof import('./contract-schemas.ts');

let loaded: Schemas | undefined;

/** The schemas if they have been loaded. */
export const schemasNow = (): Schemas | undefined => loaded;

/**
 * Loads the schemas, once.
 * @returns undefined when they cannot be loaded: the server validates too, and its messages are shown at the fields
 */
export async function loadSchemas(): Promise<Schemas | undefined> {
  try {
    loaded ??= await import('./contract-schemas.ts');
  } catch {
    // The connection is lost, or a newer build has replaced this one.
  }
  return loaded;
}
