// Run by build-programs.mjs with the pinned Node, after the packages are installed.
import { createRequire } from 'node:module';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { programFolder, root } from './paths.mjs';

/** Packages with binaries, which stay in their own folders. */
const native = /^@node-rs\//;

/**
 * A module finds its files (migrations, the web, texts of packages) beside its source, where they stay: the places that
 * ask for the path of the module get the path of the source.
 */
const sourcePaths = {
  name: 'source-paths',
  resolveId(id, importer) {
    if (!native.test(id) || importer === undefined) return null;
    return { id: createRequire(importer).resolve(id), external: 'absolute' };
  },
  transform(code, id) {
    if (!/import\.meta\.(?:url|dirname|filename)|__dirname|__filename/.test(code)) return null;
    const [url, folder, file] = [pathToFileURL(id).href, dirname(id), id].map((text) => JSON.stringify(text));
    return code
      .replaceAll(/\bimport\.meta\.url\b/g, url)
      .replaceAll(/\bimport\.meta\.dirname\b/g, folder)
      .replaceAll(/\bimport\.meta\.filename\b/g, file)
      .replaceAll(/(?<![\w.$])__dirname\b/g, folder)
      .replaceAll(/(?<![\w.$])__filename\b/g, file);
  },
};

const output = join(root, programFolder);
rmSync(output, { recursive: true, force: true });
const bundle = await rolldown({
  input: Object.fromEntries(
    ['api/src/main.ts', 'worker/src/main.ts', 'packages/embedded/src/main.ts'].map((file) => [
      file.replace(/\.ts$/, ''),
      join(root, file),
    ]),
  ),
  cwd: root,
  platform: 'node',
  plugins: [sourcePaths],
  logLevel: 'silent',
});
await bundle.write({
  dir: output,
  format: 'esm',
  entryFileNames: '[name].mjs',
  chunkFileNames: 'shared/[name]-[hash].mjs',
});
