import { createWriteStream } from 'node:fs';
import { chmod, realpath, rename, rm, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CliError, exits, type Run } from '../command.ts';
import { type ApiOptions, openApi } from '../server/api.ts';
import { type ListName, listNames } from './list-names.ts';
import { exportCalls, filterNames } from './lists.ts';

type ExportOptions = ApiOptions & {
  format: { type: 'string'; help: string };
  out: { type: 'string'; help: string };
  filter: { type: 'string'; multiple: true; help: string };
};

const usage = (message: string): CliError => new CliError(message, exits.usage);

const isList = (name: string): name is ListName => Object.hasOwn(exportCalls, name);

function readQuery(list: ListName, format: string, filters: readonly string[]): URLSearchParams {
  if (format !== 'csv' && format !== 'json') throw usage(`--format must be csv or json, not ${format}.`);
  const query = new URLSearchParams({ format });
  const known = filterNames(list);
  for (const filter of filters) {
    const [name = '', ...value] = filter.split('=');
    if (name === '' || value.length === 0)
      throw usage(`--filter must be NAME=VALUE, such as severity=critical, not ${filter}.`);
    if (!known.includes(name))
      throw usage(`There is no filter ${name}. The filters are ${known.join(', ')}.`);
    query.append(name, value.join('='));
  }
  return query;
}

/** @throws CliError when the connection ends before the reply does */
async function* bytesOf({ body }: Response, address: string): AsyncGenerator<Uint8Array> {
  try {
    yield* body ?? [];
  } catch (error) {
    const message = `${address} closed the connection before the export was complete. Run the command again.`;
    throw new CliError(message, exits.failed, error);
  }
}

/**
 * Writes to a draft beside the file and renames it, so that a failed export leaves no incomplete file. An existing file
 * keeps its mode and the links to it. Devices and pipes are not replaced, but written to.
 */
async function writeFile(path: string, body: Readable, signal: AbortSignal): Promise<void> {
  let draft: string | undefined;
  try {
    const existing = await stat(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (existing?.isFile() === false) {
      await pipeline(body, createWriteStream(path), { signal });
      return;
    }
    const file = existing ? await realpath(path) : path;
    draft = `${file}.${process.pid}.draft`;
    await pipeline(body, createWriteStream(draft, { mode: 0o600, flags: 'wx', flush: true }), { signal });
    if (existing) await chmod(draft, existing.mode & 0o777);
    await rename(draft, file);
  } catch (error) {
    if (draft !== undefined) await rm(draft, { force: true }).catch(() => undefined);
    throw error instanceof CliError ? error : new CliError(`${path}: ${(error as Error).message}`, 1, error);
  }
}

/** Exports one list to a file or to standard output. */
export const exportList: Run<ExportOptions> = async ({ operands: [name = ''], options, io }) => {
  if (!isList(name)) throw usage(`There is no list ${name}. The lists are ${listNames.join(', ')}.`);
  const { path } = exportCalls[name];
  const query = readQuery(name, options.format ?? 'csv', options.filter);
  const api = await openApi(options, io);
  const reply = await api.send('GET', `${path}?${query.toString()}`);
  const body = Readable.from(bytesOf(reply, api.address));
  try {
    if (options.out === undefined) {
      const output = new Writable({
        write(chunk: Buffer, _encoding, done) {
          io.stdout.write(chunk, done);
        },
      });
      await pipeline(body, output, { signal: io.signal });
    } else {
      const file = resolve(io.folder, options.out);
      await writeFile(file, body, io.signal);
      io.stderr.write(`Exported ${name} to ${file}.\n`);
    }
    return exits.done;
  } finally {
    // A reply that nothing has read keeps its connection, and the process, open.
    await reply.body?.cancel().catch(() => undefined);
  }
};
