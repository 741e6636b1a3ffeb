import { createTestDatabase } from '@riskboard/testing';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { runCommandLine } from '../run.ts';

async function users(environment: Readonly<Record<string, string>>) {
  const written = { stdout: '', stderr: '' };
  const output = (name: keyof typeof written) => ({
    write: (text: string | Uint8Array) => void (written[name] += String(text)),
  });
  const code = await runCommandLine(['users'], {
    stdout: output('stdout'),
    stderr: output('stderr'),
    environment: { SESSION_SECRET: 'abcdefgh'.repeat(4), ...environment },
    folder: import.meta.dirname,
    signal: new AbortController().signal,
  });
  return { code, ...written };
}

it('users says in one line that the database cannot be reached', async () => {
  // Nothing listens on the port that is reserved for tcpmux (RFC 1078).
  const { code, stderr } = await users({ DATABASE_URL: 'postgres://riskboard@127.0.0.1:1/riskboard' });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^The database cannot be reached: .*ECONNREFUSED.*\n$/u);
});

it('users reads with the login of the system where no owner is set, and says in one line that a login may not', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
  const login = `riskboard_users_${process.pid}`;
  await admin.query(`create role ${login} login password 'x'`);
  onTestFinished(async () => {
    await admin.query(`drop role ${login}`);
    await admin.end();
  });
  const without = new URL(database.url);
  without.username = login;
  without.password = 'x';

  const denied = await users({ DATABASE_URL: without.href });
  expect(denied.code).toBe(1);
  expect(denied.stderr).toMatch(/^The database refuses to show the accounts: permission denied .*\n$/u);
  const read = await users({ DATABASE_URL: without.href, DATABASE_SYSTEM_URL: database.url });
  expect(read).toEqual({ code: 0, stdout: 'There are no accounts.\n', stderr: '' });
});
