import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';
import { reportLimit } from './page-limits.ts';
import { routeChunks } from './route-chunks.ts';

interface Limits {
  /** Limit for the JavaScript that index.html itself loads, in bytes (stack, performance: initial JS <= 200 kB gz). */
  entry: number;
  /** The same limit including a page and its layouts, in bytes. */
  page: number;
}

/** Prints the gzipped size of the JavaScript that each page needs first, and reports those above the limits. */
export function initialSize(limits: Limits): Plugin {
  return {
    name: 'initial-size',
    apply: 'build',
    writeBundle(_, bundle) {
      const { entry, pages } = routeChunks(bundle);
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const sizes = new Map(chunks.map(({ fileName, code }) => [fileName, gzipSync(code).length]));
      const bytesOf = (files: ReadonlySet<string>) =>
        [...files].reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0);

      const measured = [
        { name: 'entry', limit: limits.entry, bytes: bytesOf(entry) },
        ...pages.map(({ route, files }) => ({ name: route, limit: limits.page, bytes: bytesOf(files) })),
      ].toSorted((a, b) => a.bytes - b.bytes);
      const lines = measured.map(({ name, bytes }) => `${(bytes / 1000).toFixed(1).padStart(8)} kB  ${name}`);
      this.info(`initial JavaScript, gzipped:\n${lines.join('\n')}`);
      const over = measured.filter(({ bytes, limit }) => bytes > limit);
      if (over.length === 0) return;
      const names = over.map(({ name, limit }) => `${name} needs more than ${limit / 1000} kB`);
      reportLimit(this, names.join('; '));
    },
  };
}
