import { describe, expect, it } from 'vitest';
import { commands } from './commands.ts';
import { runCommandLine } from './run.ts';

async function run(given: readonly string[], environment: Readonly<Record<string, string | undefined>> = {}) {
  const written = { stdout: '', stderr: '' };
  const output = (name: keyof typeof written) => ({
    write: (text: string | Uint8Array) => void (written[name] += String(text)),
  });
  const code = await runCommandLine(given, {
    stdout: output('stdout'),
    stderr: output('stderr'),
    environment,
    folder: import.meta.dirname,
    signal: new AbortController().signal,
  });
  return { code, ...written };
}

describe('the command line', () => {
  it('without a command prints the help with every command and exits with 2', async () => {
    const { code, stdout } = await run([]);
    expect(code).toBe(2);
    for (const name of Object.keys(commands)) expect(stdout).toMatch(`  ${name} `);
    expect(stdout).toContain(Object.values(commands)[0]?.summary);
  });

  it.each(Object.keys(commands))('explains %s with its options, variables and examples', async (name) => {
    const { code, stdout, stderr } = await run([name, '--help']);
    const command = commands[name];
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const option of Object.keys(command?.options ?? {})) expect(stdout).toContain(`--${option}`);
    for (const variable of Object.keys(command?.environment ?? {})) expect(stdout).toContain(variable);
    for (const [example] of command?.examples ?? []) expect(stdout).toContain(`pnpm riskboard ${example}`);
    expect(command?.examples.length).toBeGreaterThan(0);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  it.each([
    [['nonsense'], 'There is no command nonsense. The commands are '],
    [['jobs', '--unknown'], "Unknown option '--unknown'. See pnpm riskboard jobs --help"],
    [['export'], 'Something is missing. Usage: pnpm riskboard export <list>'],
    [['jobs', 'many'], 'There is too much. Usage: pnpm riskboard jobs'],
    [['export', 'nonsense'], 'There is no list nonsense. The lists are vulnerabilities, '],
    [['export', 'threats', '--format', 'xml'], '--format must be csv or json, not xml.'],
    [['export', 'threats', '--filter', 'severity'], '--filter must be NAME=VALUE'],
    [
      ['export', 'vulnerabilities', '--filter', 'foo=bar'],
      'There is no filter foo. The filters are search, ',
    ],
    [['jobs', '--limit', '501'], '--limit must be a whole number from 1 to 500.'],
  ])('exits with 2 and one line for %j', async (given, message) => {
    const { code, stderr, stdout } = await run(given);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  it.each([
    [{}, 'RISKBOARD_TOKEN is not set.'],
    [{ RISKBOARD_URL: 'risk.example.org', RISKBOARD_TOKEN: 'rb_x' }, 'RISKBOARD_URL must be the address'],
    [{ RISKBOARD_URL: 'https://ada@risk.example.org', RISKBOARD_TOKEN: 'rb_x' }, 'must not contain a user'],
    [{ RISKBOARD_TOKEN: 'rb_ü' }, 'The API token contains characters that no token has.'],
  ] as const)('exits with 78 for the environment %j', async (environment, message) => {
    const { code, stderr } = await run(['jobs'], environment);
    expect(code).toBe(78);
    expect(stderr).toContain(message);
  });

  it('exits with 1 and the address when the server does not answer', async () => {
    const { code, stderr } = await run(['jobs'], {
      RISKBOARD_URL: 'http://127.0.0.1:1',
      RISKBOARD_TOKEN: 'rb_x',
    });
    expect(code).toBe(1);
    expect(stderr).toContain('http://127.0.0.1:1 does not answer');
  });
});
