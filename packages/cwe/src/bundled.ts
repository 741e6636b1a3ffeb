import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import type { CatalogueContent } from './catalogue.ts';
import { parseCatalogue } from './read-catalogue.ts';

const require = createRequire(import.meta.url);

/** MITRE's XML download in the package. */
const file = require.resolve('cwe-sdk/raw/cwe-archive.xml');

/** The attributes of the first element are at the start. */
const headBytes = 1024;

/**
 * The version of the bundled catalogue, such as '4.15', without reading all of it.
 * @throws when the file has no version
 */
export async function bundledVersion(): Promise<string> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(headBytes), position: 0 });
    const version = /<Weakness_Catalog[^>]* Version="([\d.]+)"/u.exec(
      buffer.toString('utf8', 0, bytesRead),
    )?.[1];
    if (version === undefined) throw new Error('The CWE catalogue has no version');
    return version;
  } finally {
    await handle.close();
  }
}

/** The bundled catalogue. Some 15 MB of XML: read it only when it is needed. */
export const readBundled = (): Promise<CatalogueContent> =>
  parseCatalogue(createReadStream(file), basename(file));
