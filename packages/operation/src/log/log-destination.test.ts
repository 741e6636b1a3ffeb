import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { asJsonLine, jsonLine, logDestination } from './log-destination.ts';

const entry = '{"level":30,"time":1767225600000,"msg":"worker ready \u202e"}\n';

function written(isTTY: boolean): string {
  let text = '';
  const output = { isTTY, write: (part: string) => ((text += part), true) };
  logDestination('worker', output).write(entry);
  return text;
}

describe('a log', () => {
  it('is readable text at a terminal, without JSON', () => {
    expect(written(true)).toMatch(/^\d\d:\d\d:\d\d {2}worker {2}info {2}worker ready \\u\{202e\}\n$/u);
  });

  it('is one JSON object a line for any other reader, with control characters escaped', () => {
    const text = written(false);
    expect(JSON.parse(text)).toEqual(JSON.parse(entry));
    expect(text).toMatch(/^[ -~]+\n$/u);
  });
});

describe('a line of a started program, when the reader is not a terminal,', () => {
  it('is unchanged when it is JSON of pino', () => {
    expect(asJsonLine('api', entry.trim())).toBe(entry.trim());
  });

  it.each([
    'Error: boom',
    '    at main.ts:1',
    '{"a":1}',
    '{"level":30,',
    'Configuration: PORT must be a number',
  ])('is an entry of level error when it is %j', (text) => {
    expect(JSON.parse(asJsonLine('api', text) ?? '')).toMatchObject({ level: 50, name: 'api', msg: text });
  });

  it('is left out when it is empty', () => {
    expect(asJsonLine('api', ' ')).toBeUndefined();
  });
});

it('a line of the supervisor is an entry like those of the others', () => {
  expect(JSON.parse(jsonLine('supervisor', 'Stopping…'))).toEqual({
    level: 30,
    time: expect.any(Number),
    name: 'supervisor',
    msg: 'Stopping…',
  });
});

it('a program ends in order after the reader of its output has ended', async () => {
  const program = `
    import { outliveReaders } from ${JSON.stringify(new URL('log-destination.ts', import.meta.url).href)};
    outliveReaders();
    process.once('SIGTERM', async () => {
      for (let line = 0; line < 3; line += 1) {
        process.stdout.write('Stopping…\\n');
        process.stderr.write('Stopping…\\n');
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      process.exit(3);
    });
    setInterval(() => {}, 1000);
    process.stdout.write('ready');
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program]);
  await once(child.stdout, 'data');
  child.stdout.destroy();
  child.stderr.destroy();
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await exited).toEqual([3, null]);
});
