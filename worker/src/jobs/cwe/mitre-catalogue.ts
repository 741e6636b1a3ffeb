import { type CatalogueContent, CatalogueFault, type CweEntry, restCatalogue } from '@riskboard/cwe';
import { formatCount } from '@riskboard/domain';
import { JobFailure } from '../run/failures.ts';

/** Milliseconds for one response: MITRE's catalogue has about 20 MB. */
const timeoutMs = { version: 15_000, entries: 120_000 } as const;
/** All weaknesses have about 20 MB as JSON. */
const mostBytes = { version: 64 * 1024, entries: 64 * 1024 * 1024 } as const;

interface Reading {
  /** Base address of the CWE REST API. */
  base: string;
  signal: AbortSignal;
}

/** For people: why MITRE's answer could not be used. */
const unusable = (detail: string, cause?: unknown): JobFailure =>
  new JobFailure(
    'mitre_unusable',
    `MITRE's CWE service gave no usable answer: ${detail}. The catalogue is unchanged.`,
    {
      cause,
    },
  );

const unreachable = (cause: unknown): JobFailure =>
  new JobFailure(
    'mitre_unreachable',
    "MITRE's CWE service cannot be reached. The catalogue is unchanged. Try again later, or upload a catalogue.",
    { cause },
  );

async function fetchText(
  { base, signal }: Reading,
  path: string,
  { kind, onBytes }: { kind: keyof typeof mostBytes; onBytes: (bytes: number) => void },
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    const response = await fetch(`${base.replace(/\/+$/u, '')}${path}`, {
      headers: { accept: 'application/json' },
      // The administrator chooses the server; a redirect must not.
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs[kind])]),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw unusable(`status ${response.status}`);
    }
    for await (const chunk of response.body ?? []) {
      bytes += chunk.byteLength;
      if (bytes > mostBytes[kind]) throw unusable(`more than ${formatCount(mostBytes[kind])} bytes`);
      chunks.push(chunk);
      onBytes(chunk.byteLength);
    }
  } catch (cause) {
    signal.throwIfAborted();
    throw cause instanceof JobFailure ? cause : unreachable(cause);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Runs a reader of external text. @throws JobFailure when the text has another shape */
function readAs<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw unusable(
      cause instanceof CatalogueFault ? cause.message : 'it has another shape than expected',
      cause,
    );
  }
}

export type MitreVersion = ReturnType<typeof restCatalogue.version>;

/** The newest version of the catalogue at MITRE. @throws JobFailure */
export async function mitreVersion(reading: Reading): Promise<MitreVersion> {
  const text = await fetchText(reading, '/cwe/version', { kind: 'version', onBytes: () => undefined });
  return readAs(() => restCatalogue.version(JSON.parse(text)));
}

/** The whole catalogue at MITRE. @throws JobFailure */
export async function mitreCatalogue(
  reading: Reading,
  version: MitreVersion,
  onBytes: (total: number) => void,
): Promise<CatalogueContent> {
  const entries: CweEntry[] = [];
  let total = 0;
  for (const kind of ['weakness', 'category', 'view']) {
    const text = await fetchText(reading, `/cwe/${kind}/all`, {
      kind: 'entries',
      onBytes(bytes) {
        total += bytes;
        onBytes(total);
      },
    });
    entries.push(...readAs(() => restCatalogue.entries(JSON.parse(text))));
  }
  return readAs(() => restCatalogue.complete(version, entries));
}
