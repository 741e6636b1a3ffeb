import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const compressible = /\.(?:js|css|svg|html)$/u;
/** Bytes. Smaller files gain nothing from compression. */
const worthwhile = 1024;

const brotli = (text: Buffer) =>
  promisify(brotliCompress)(text, {
    params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
  });

/**
 * Writes a `.br` and a `.gz` copy of every text file of the build; the api serves them to browsers that accept them.
 */
export function precompress(): Plugin {
  let folder = 'dist';
  return {
    name: 'riskboard-precompress',
    apply: 'build',
    configResolved(config) {
      folder = path.resolve(config.root, config.build.outDir);
    },
    async closeBundle() {
      const files = await readdir(folder, { recursive: true, withFileTypes: true });
      for (const file of files.filter((entry) => entry.isFile() && compressible.test(entry.name))) {
        const at = path.join(file.parentPath, file.name);
        const text = await readFile(at);
        if (text.length < worthwhile) continue;
        await writeFile(`${at}.br`, await brotli(text));
        await writeFile(`${at}.gz`, await promisify(gzip)(text, { level: 9 }));
      }
    },
  };
}
