import { registerHooks } from 'node:module';

/** Lines of one module of the product, and what is loaded instead. */
export interface Replacement {
  /** End of the module's address. */
  module: string;
  from: string;
  to: string;
}

/**
 * Replaces lines of modules while they are loaded, for modules that a test loads with --import into a process of the
 * product: the product itself has no switch. @throws while loading a module that no longer contains the lines
 */
export function replaceOnLoad(wanted: readonly Replacement[]): void {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const own = wanted.filter(({ module }) => url.endsWith(module));
      if (own.length === 0) return loaded;
      let source =
        loaded.source instanceof Uint8Array ? Buffer.from(loaded.source).toString() : loaded.source;
      for (const { module, from, to } of own) {
        if (typeof source !== 'string' || !source.includes(from))
          throw new Error(`${module} no longer contains: ${from}`);
        source = source.replace(from, () => to);
      }
      return { ...loaded, source };
    },
  });
}
