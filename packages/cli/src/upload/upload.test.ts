import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommandLine } from '../run.ts';
import { terminalOutput } from '../terminal/terminal-output.ts';

interface Reply {
  status: number;
  body: object;
  headers?: Record<string, string>;
}

let server: Server;
let folder: string;
let received: { path: string; authorization: string | undefined; body: string }[];
/** Replies in order; the last one is repeated. */
let answer: (request: IncomingMessage, body: string, count: number) => Reply;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'riskboard-upload-'));
  received = [];
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    received.push({ path: request.url ?? '', authorization: request.headers.authorization, body });
    const reply = answer(request, body, received.length);
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
    response.end(JSON.stringify(reply.body));
  };
  server = createServer((request, response) => {
    // Ctrl-C aborts uploads whose body the server still reads.
    handle(request, response).catch((error: unknown) => {
      if (request.complete) throw error;
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => void server.close(resolve));
  await rm(folder, { recursive: true });
});

const stored: Reply = { status: 201, body: { action: 'created', _id: 'file-1', jobId: 'job-1' } };

const run = (...given: string[]) => runUntil(new AbortController().signal, ...given);

/** Runs a command until it ends or the signal is aborted, as by Ctrl-C. */
async function runUntil(signal: AbortSignal, ...given: string[]) {
  const written = { stdout: '', stderr: '' };
  const output = (name: keyof typeof written) => ({
    write: (part: string | Uint8Array) => void (written[name] += String(part)),
  });
  const { port } = server.address() as AddressInfo;
  const code = await runCommandLine(given, {
    stdout: output('stdout'),
    stderr: output('stderr'),
    environment: { RISKBOARD_URL: `http://127.0.0.1:${port}`, RISKBOARD_TOKEN: 'rb_token' },
    folder,
    signal,
  });
  return { code, ...written };
}

describe('upload', () => {
  it('sends every report below a folder with its name and bytes, and the token', async () => {
    answer = () => stored;
    await mkdir(join(folder, 'reports/deep'), { recursive: true });
    await writeFile(join(folder, 'reports/deep/a "quoted".json'), '{"type":"bundle"}');
    await writeFile(join(folder, 'reports/b.XML'), '<x/>');
    await writeFile(join(folder, 'reports/notes.txt'), 'no report');
    const { code, stdout, stderr } = await run('upload', 'reports', '--extract', 'vulnerabilities', '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const sent = received.map(({ body }) => /filename="([^"]*)"/u.exec(body)?.[1] ?? '').toSorted();
    expect(sent).toEqual(['a %22quoted%22.json', 'b.XML']);
    expect(received.every(({ path }) => path === '/api/reports/upload?extract=vulnerabilities')).toBe(true);
    expect(new Set(received.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer rb_token']));
    expect(received.some(({ body }) => body.includes('\r\n\r\n{"type":"bundle"}\r\n--'))).toBe(true);
    expect(JSON.parse(stdout)).toMatchObject({ failed: 0, files: [{ action: 'created' }, {}] });
  });

  it('sends a file again when the server is busy', async () => {
    answer = (_request, _body, count) =>
      count === 1 ? { status: 429, body: {}, headers: { 'retry-after': '0' } } : stored;
    await writeFile(join(folder, 'a.json'), '{}');
    expect(await run('upload', 'a.json')).toMatchObject({ code: 0 });
    expect(received.map(({ body }) => body.includes('{}'))).toEqual([true, true]);
  });

  it('reports a refused file with its reason, sends the others, and exits with 1', async () => {
    answer = (_request, body) =>
      body.includes('"bad"') ? { status: 422, body: { message: 'Not a STIX report.' } } : stored;
    await writeFile(join(folder, 'bad.json'), '"bad"');
    await writeFile(join(folder, 'good.json'), '{}');
    const { code, stdout } = await run('upload', 'bad.json', 'good.json');
    expect(code).toBe(1);
    expect(stdout).toContain('failed    bad.json: Not a STIX report.\n');
    expect(stdout).toContain('created   good.json\n');
  });

  it('with --watch waits for the parse and the extraction, and exits with 1 when one fails', async () => {
    const job = (kind: string, state: string, message?: string) => ({
      _id: kind === 'stix.parse' ? 'job-1' : 'job-2',
      kind,
      state,
      progress: { phase: 'reading', done: 1, total: 2 },
      result: state === 'succeeded' ? { mapped: 3 } : null,
      error: message === undefined ? null : { code: 'x', message },
    });
    const former = { ...job('stix.parse', 'failed', 'of an earlier upload'), _id: 'job-0' };
    const rounds = [
      [job('stix.parse', 'running'), former],
      [job('stix.parse', 'succeeded'), former],
      [job('stix.extract', 'failed', 'Out of memory'), job('stix.parse', 'succeeded'), former],
    ];
    let round = 0;
    answer = (request) =>
      request.method === 'POST' ? stored : { status: 200, body: { jobs: rounds[round++] ?? rounds.at(-1) } };
    await writeFile(join(folder, 'a.json'), '{}');
    const { code, stdout } = await run('upload', 'a.json', '--extract', 'threats', '--watch');
    expect(code).toBe(1);
    expect(stdout).toContain('failed    a.json: Out of memory\n');
    expect(round).toBe(3);
    // A report has a job for each of its uploads: the newest are in the first page.
    expect(received.at(-1)?.path).toMatch(/^\/api\/jobs\?fileId=file-1&sort=-createdAt&/u);
  });

  it('with --watch exits with 1 when the report is deleted before its jobs have ended', async () => {
    answer = (request, _body, count) =>
      request.method === 'POST'
        ? stored
        : {
            status: 200,
            body: {
              jobs:
                count > 2
                  ? []
                  : [
                      {
                        _id: 'job-1',
                        kind: 'stix.parse',
                        state: 'running',
                        progress: { phase: 'reading', done: 1, total: 2 },
                        result: null,
                      },
                    ],
            },
          };
    await writeFile(join(folder, 'a.json'), '{}');
    const { code, stdout } = await run('upload', 'a.json', '--watch');
    expect(code).toBe(1);
    expect(stdout).toContain('failed    a.json: The report was deleted before its jobs had ended.\n');
    const json = await run('upload', 'a.json', '--watch', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({
      failed: 1,
      files: [{ action: 'created', jobId: 'job-1' }],
    });
  });

  describe('of more than 10 files', () => {
    const path = '/api/batches/batch-1';
    const states = { queued: 0, running: 0, succeeded: 11, withIssues: 0, failed: 1, cancelled: 0 };
    const resultOf = (n: number) => ({
      fileId: `file-${n}`,
      state: n === 3 ? 'failed' : 'withIssues',
      message: n === 3 ? 'Line 3 is not STIX.' : null,
      created: 2,
      updated: 1,
      unchanged: 0,
      skipped: 0,
      issues: 4,
    });
    /** The first status is still running, with 3 of 12 files ended. */
    function serveBatch(): void {
      let [uploads, looks] = [0, 0];
      answer = (request, body) => {
        if (request.url === '/api/batches')
          return { status: 201, body: { _id: 'batch-1', ...JSON.parse(body) } };
        if (request.url === `${path}/close`) return { status: 200, body: {} };
        if (request.url === path) {
          looks += 1;
          const running = { ...states, queued: 9, succeeded: 3 };
          const now = looks === 1 ? { status: 'running', states: running } : { status: 'finished', states };
          return { status: 200, body: { _id: 'batch-1', files: 12, ...now } };
        }
        if (request.url?.startsWith(`${path}/files`) === true) {
          const second = request.url.includes('cursor=next');
          const files = Array.from({ length: 6 }, (_, n) => resultOf(second ? n + 7 : n + 1));
          return { status: 200, body: { files, nextCursor: second ? null : 'next' } };
        }
        uploads += 1;
        return { status: 201, body: { action: 'created', _id: `file-${uploads}`, jobId: `job-${uploads}` } };
      };
    }
    const writeReports = () =>
      Promise.all(Array.from({ length: 12 }, (_, n) => writeFile(join(folder, `report-${n}.json`), '{}')));

    it('creates one batch with their number and bytes, sends each file into it, and closes it', async () => {
      serveBatch();
      await writeReports();
      const { code, stdout } = await run('upload', '.', '--extract', 'threats');
      expect(code).toBe(0);
      expect(stdout).toContain('12 of 12 files, 24 bytes. Batch batch-1.\n');
      expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({ files: 12, bytes: 24 });
      const uploads = received.filter(({ path: sentTo }) => sentTo.startsWith('/api/reports/upload'));
      expect(new Set(uploads.map(({ path: sentTo }) => sentTo))).toEqual(
        new Set(['/api/reports/upload?extract=threats&batch=batch-1']),
      );
      expect(uploads).toHaveLength(12);
      expect(received.at(-1)?.path).toBe(`${path}/close`);
    });

    it.each([
      [
        4,
        'The API token is not valid. 4 of 12 files were received, and their batch may wait for the others. To end it, choose "Finish without them" at http://127.0.0.1:PORT/dashboard/batches/batch-1, then upload the files again.\n',
      ],
      [12, 'The API token is not valid. All 12 files were received.\n'],
    ])('says what is left of the batch when the token expires after %i files', async (count, message) => {
      serveBatch();
      const valid = answer;
      let uploads = 0;
      answer = (request, body, n) => {
        uploads += request.url?.startsWith('/api/reports') === true ? 1 : 0;
        const isExpired = uploads > count || request.url === `${path}/close`;
        return isExpired
          ? { status: 401, body: { message: 'The API token is not valid.' } }
          : valid(request, body, n);
      };
      await writeReports();
      const { code, stderr } = await run('upload', '.');
      expect(code).toBe(78);
      expect(stderr.replace(/127\.0\.0\.1:\d+/u, '127.0.0.1:PORT')).toBe(message);
    });

    it('with --watch waits for the batch, prints the result of each file, and exits with 1 when one failed', async () => {
      serveBatch();
      await writeReports();
      const { code, stdout } = await run('upload', '.', '--watch', '--json');
      expect(code).toBe(1);
      const printed = JSON.parse(stdout) as { files: { fileId: string; error: string | null }[] };
      expect(printed).toMatchObject({ failed: 1, batchId: 'batch-1', batch: { status: 'finished', states } });
      expect(printed.files.filter(({ error }) => error !== null)).toMatchObject([
        { fileId: 'file-3', error: 'Line 3 is not STIX.' },
      ]);
      const looks = received.filter(({ path: sentTo }) => sentTo === path);
      expect(looks).toHaveLength(2);
      serveBatch();
      const text = await run('upload', '.', '--watch');
      expect(text.stdout).toContain('created 2, updated 1, unchanged 0, skipped 0, 4 issues\n');
    });
  });

  it('sends the files that links lead to, each once, and names those that cannot be read', async () => {
    answer = () => stored;
    // The files of a volume of Kubernetes are links into a folder that a link names.
    await mkdir(join(folder, 'volume/..2026_11_29'), { recursive: true });
    await writeFile(join(folder, 'volume/..2026_11_29/feed.json'), '{}');
    await symlink('..2026_11_29', join(folder, 'volume/..data'));
    await symlink('..data/feed.json', join(folder, 'volume/feed.json'));
    await writeFile(join(folder, 'outside'), '{"outside":true}');
    await symlink('../outside', join(folder, 'volume/latest.json'));
    await symlink('absent', join(folder, 'volume/lost.json'));
    await symlink('..2026_11_29', join(folder, 'volume/folder.json'));
    const { code, stdout } = await run('upload', 'volume');
    expect(code).toBe(1);
    expect(stdout).toContain('created   volume/..2026_11_29/feed.json\n');
    expect(stdout).toContain('created   volume/latest.json\n');
    expect(stdout).toContain(
      'failed    volume/lost.json: volume/lost.json cannot be read (ENOENT).\n2 of 3 files',
    );
  });

  it.each([1, 12])('exits with 130 at Ctrl-C while the first of %i files are sent', async (count) => {
    const stop = new AbortController();
    answer = (request) => {
      if (request.url === '/api/batches') return { status: 201, body: { _id: 'batch-1' } };
      if (request.url?.startsWith('/api/reports')) stop.abort();
      return { status: 200, body: {} };
    };
    await Promise.all(Array.from({ length: count }, (_, n) => writeFile(join(folder, `r-${n}.json`), '{}')));
    expect(await runUntil(stop.signal, 'upload', '.')).toEqual({ code: 130, stdout: '', stderr: '' });
    // The batch ends with the files that were received.
    const closings = received.filter(({ path }) => path === '/api/batches/batch-1/close');
    expect(closings).toHaveLength(count > 10 ? 1 : 0);
  });

  it.each([
    ['Please log in.', 'The API token is not valid: Please log in.\n'],
    ['The API token is not valid.', 'The API token is not valid.\n'],
  ])('ends with 78 at the first file when the token is not valid (%s)', async (message, stderr) => {
    answer = () => ({ status: 401, body: { message } });
    await writeFile(join(folder, 'a.json'), '{}');
    expect(await run('upload', 'a.json')).toMatchObject({
      code: 78,
      stderr,
    });
  });

  it.each([
    [['upload', 'absent.json'], 1, 'absent.json cannot be read (ENOENT).'],
    [['upload', '.'], 2, 'have the same name: the second one would replace the first one.'],
    [['upload', 'a.json', '--extract', 'malware'], 2, '--extract must be vulnerabilities or threats'],
  ] as const)('%j exits with %i before anything is sent', async (given, expected, message) => {
    await mkdir(join(folder, 'deep'));
    await writeFile(join(folder, 'a.json'), '{}');
    await writeFile(join(folder, 'deep/A.JSON'), '{}');
    const { code, stderr } = await run(...given);
    expect(code).toBe(expected);
    expect(stderr).toContain(message);
    expect(received).toEqual([]);
  });
});

describe('export', () => {
  it('writes a complete file, and none when the server fails', async () => {
    answer = (_request, _body, count) =>
      count === 1 ? { status: 200, body: { rows: 1 } } : { status: 403, body: { message: 'No.' } };
    const path = join(folder, 'out.json');
    const args = ['export', 'threats', '--format', 'json', '--filter', 'search=a=b', '--out'] as const;
    expect(await run(...args, path)).toMatchObject({ code: 0, stdout: '' });
    expect(received[0]?.path).toBe('/api/threats/export?format=json&search=a%3Db');
    expect(await run(...args, join(folder, 'other.json'))).toMatchObject({ code: 1, stderr: 'No.\n' });
    const { readdir, readFile } = await import('node:fs/promises');
    expect(await readFile(path, 'utf8')).toBe('{"rows":1}');
    expect(await readdir(folder)).toEqual(['out.json']);
  });
});

it('names from reports cannot control the terminal', async () => {
  const hostile = '\u001B[31mred\n\u202Eevil.json';
  answer = () => ({
    status: 200,
    body: {
      total: 1,
      jobs: [
        {
          _id: 'job-1',
          kind: 'stix.parse',
          state: 'failed',
          fileName: hostile,
          error: { code: 'x', message: hostile },
          createdAt: '2026-01-01T00:00:00.000Z',
        },
      ],
    },
  });
  const { stdout } = await run('jobs', '--failed');
  expect(stdout.split('\n')).toHaveLength(3);
  expect(stdout).toContain('[31mred evil.json');
  // oxlint-disable-next-line no-control-regex
  expect(stdout).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u202E]/u);
});

describe('text that controls a terminal', () => {
  const hostile = '\u001B]0;owned\u0007\u001B[2J\u202Eevil\ncreated   a.json\u2028';
  /* oxlint-disable-next-line no-control-regex */
  const control = /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202E\u2028]/u;

  it('is shown as codes, on the line of its file, in the answer about an upload', async () => {
    await writeFile(join(folder, 'a.json'), '{}');
    answer = () => ({ status: 422, body: { message: hostile } });
    const { stdout } = await run('upload', join(folder, 'a.json'));
    expect(stdout).not.toMatch(control);
    expect(stdout.split('\n')).toHaveLength(3);
    expect(stdout).toContain(String.raw`\u{1b}]0;owned\u{7}\u{1b}[2J\u{202e}evil created   a.json`);
  });

  it('is shown as codes in an error', async () => {
    answer = () => ({ status: 403, body: { message: hostile } });
    const { stderr } = await run('jobs');
    expect(stderr).not.toMatch(control);
    expect(stderr.split('\n')).toHaveLength(2);
    expect((await run('upload', '\u001B[2J')).stderr).not.toMatch(control);
  });

  it('is shown as codes in an export to a terminal, and kept in one to a pipe', () => {
    const exported = (isTTY: boolean): string => {
      let written = '';
      const stream = { isTTY, write: (part: string | Uint8Array) => (written += String(part)) };
      terminalOutput(stream).write(Buffer.from('{"name":"\u009B2J"}'));
      return written;
    };
    expect(exported(false)).toBe('{"name":"\u009B2J"}');
    expect(exported(true)).toBe(String.raw`{"name":"\u{9b}2J"}`);
  });

  it('leaves the JSON of an upload valid', async () => {
    await writeFile(join(folder, 'خانه\u200Cها.json'), '{}');
    answer = () => stored;
    const { stdout } = await run('upload', join(folder, 'خانه\u200Cها.json'), '--json');
    expect(JSON.parse(stdout)).toMatchObject({ files: [{ name: 'خانه\u200Cها.json' }], failed: 0 });
  });

  it('is escaped in JSON, which has the same value', () => {
    const value = {
      name: 'خانه\u200Cها \u007F\u2028\uFEFF\u{E0001}\u{F0000}\u{1F468}\u200D\n\t',
      other: hostile,
    };
    for (const isTTY of [false, true]) {
      let written = '';
      terminalOutput({ isTTY, write: (part) => (written += String(part)) }).writeJson(value, 2);
      expect(written).not.toMatch(/[[\p{C}\p{Zl}\p{Zp}]--\n]/v);
      expect(JSON.parse(written)).toEqual(value);
    }
  });

  it('cannot leave the line of the progress', () => {
    let written = '';
    const output = terminalOutput({ isTTY: true, write: (part) => (written += String(part)) });
    output.redraw(hostile);
    expect(written.replace('\r\u001B[K', '')).not.toMatch(/[\p{Cc}\p{Zl}\u202E]/u);
  });
});
