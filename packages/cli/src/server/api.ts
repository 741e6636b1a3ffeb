import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CliError, exits, type Io, type Values } from '../command.ts';
import { oneLine } from '../terminal/terminal-output.ts';

// A type, because an interface has no index signature.
export type ApiOptions = {
  server: { type: 'string'; help: string };
  'token-file': { type: 'string'; help: string };
};

/** Attempts of a call that the server was too busy for, or that it did not answer. */
const attempts = 5;
const busy = new Set([429, 502, 503, 504]);
/** Milliseconds; the longest wait that Retry-After is followed for. */
const longestWaitMs = 60_000;

export interface Request {
  headers?: Readonly<Record<string, string>>;
  /** Makes the body of each attempt. A CliError of its stream ends the call. */
  body?: () => string | ReadableStream<Uint8Array>;
  /** Ends the call; the default is Ctrl-C. */
  signal?: AbortSignal;
}

export interface Api {
  /** Of the server, and of the web that it serves. */
  address: string;
  /** @throws CliError with the text of an error reply, or when the server does not answer */
  send(method: string, path: string, request?: Request): Promise<Response>;
  get<Reply>(path: string): Promise<Reply>;
}

const configuration = (message: string): CliError => new CliError(message, exits.configuration);

function readAddress(given: string | undefined, io: Io): string {
  const text =
    given ?? (io.environment['RISKBOARD_URL'] || `http://127.0.0.1:${io.environment['PORT'] || 3000}`);
  const name = given === undefined ? 'RISKBOARD_URL' : '--server';
  if (!URL.canParse(text) || !/^https?:$/u.test(new URL(text).protocol))
    throw configuration(
      `${name} must be the address of a Riskboard server, such as https://risk.example.org.`,
    );
  const { origin, username } = new URL(text);
  if (username !== '')
    throw configuration(`${name} must not contain a user; the API token is in RISKBOARD_TOKEN.`);
  return origin;
}

async function readToken(file: string | undefined, io: Io): Promise<string> {
  const text =
    file === undefined
      ? (io.environment['RISKBOARD_TOKEN'] ?? '')
      : await readFile(resolve(io.folder, file), 'utf8').catch((error: NodeJS.ErrnoException) => {
          throw configuration(`--token-file ${file} cannot be read (${error.code}).`);
        });
  const token = text.trim();
  if (token === '')
    throw configuration(
      'RISKBOARD_TOKEN is not set. Create an API token in the web under Settings, API tokens, and set it.',
    );
  // The token itself is never printed.
  if (!/^[\w-]+$/u.test(token)) throw configuration('The API token contains characters that no token has.');
  return token;
}

const invalidToken = 'The API token is not valid';

/** The text of an error reply; of a proxy's reply only its status. */
async function failureOf(reply: Response): Promise<CliError> {
  const body = (await reply.json().catch(() => ({}))) as {
    message?: string;
    details?: { path: string; message: string }[];
  };
  const details = (body.details ?? [])
    .filter(({ message }) => message !== body.message)
    .map(({ path, message }) => `${path}: ${message}`);
  const text = oneLine([body.message ?? `The server answered ${reply.status}.`, ...details].join(' '));
  if (reply.status !== 401) return new CliError(text);
  return configuration(text.startsWith(invalidToken) ? text : `${invalidToken}: ${text}`);
}

function unreachable(address: string, error: unknown): CliError {
  const cause = (error as { cause?: { code?: string; message?: string } }).cause;
  const reason = cause?.code ?? cause?.message ?? (error as Error).message;
  return new CliError(
    `${address} does not answer (${reason}). Is it the address of a running Riskboard?`,
    1,
    error,
  );
}

function waitOf(reply: Response | undefined, attempt: number): number {
  const seconds = Number(reply?.headers.get('retry-after') ?? Number.NaN);
  return Math.min(Number.isFinite(seconds) ? seconds * 1000 : 500 * 2 ** attempt, longestWaitMs);
}

/**
 * The HTTP API of a server with an API token. Calls that the server is too busy for are repeated after the time that it
 * names; a call whose connection is lost is repeated too, so `send` is only for calls that may run twice.
 * @throws CliError when address or token are missing or malformed
 */
export async function openApi(options: Values<ApiOptions>, io: Io): Promise<Api> {
  const address = readAddress(options.server, io);
  const token = await readToken(options['token-file'], io);

  let hasAnswered = false;

  async function attempt(
    method: string,
    path: string,
    { headers, body, signal = io.signal }: Request,
  ): Promise<Response> {
    return fetch(`${address}${path}`, {
      method,
      headers: { ...headers, authorization: `Bearer ${token}` },
      // The token must not follow a redirect to another server.
      redirect: 'error',
      signal,
      ...(body && { body: body(), duplex: 'half' as const }),
    });
  }

  async function send(method: string, path: string, request: Request = {}): Promise<Response> {
    const { signal = io.signal } = request;
    for (let n = 1; ; n += 1) {
      const reply = await attempt(method, path, request).catch((error: unknown) => {
        const ofBody = [error, (error as Error).cause].find((each) => each instanceof CliError);
        if (ofBody) throw ofBody;
        // An address that never answered is probably wrong; one that did may be restarting.
        if (signal.aborted || !hasAnswered || n >= attempts) throw unreachable(address, error);
        return undefined;
      });
      if (reply) hasAnswered = true;
      if (reply?.ok) return reply;
      if (reply && (!busy.has(reply.status) || n >= attempts)) throw await failureOf(reply);
      await reply?.body?.cancel();
      await sleep(waitOf(reply, n), undefined, { signal });
    }
  }

  return {
    address,
    send,
    get: async <Reply>(path: string) => (await (await send('GET', path)).json()) as Reply,
  };
}
