import { randomBytes } from 'node:crypto';
import { createTestDatabase, type TestDatabase, withClient } from '@riskboard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseRoles } from '../connection/roles.ts';
import { ensureLogin } from './roles.ts';

const login = `riskboard_login_${randomBytes(4).toString('hex')}`;

const addressOn = (database: TestDatabase, password: string): string =>
  Object.assign(new URL(database.url), { username: login, password }).href;
const ensure = (database: TestDatabase, password: string): Promise<void> =>
  ensureLogin(database.adminUrl, addressOn(database, password), databaseRoles.app);
const signsIn = (database: TestDatabase, password: string): Promise<boolean> =>
  withClient(addressOn(database, password), () => Promise.resolve(true)).catch(() => false);

describe('the logins of two installations on one server', () => {
  let first: TestDatabase;
  let second: TestDatabase;
  beforeAll(async () => {
    [first, second] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    await ensure(first, 'old');
  });
  afterAll(async () => {
    await second.drop();
    await withClient(first.adminUrl, (admin) =>
      admin.query(`drop owned by ${login}; drop role if exists ${login}`),
    );
    await first.drop();
  });

  it('get a new password while one installation uses them', async () => {
    await ensure(first, 'first');
    expect(await signsIn(first, 'first')).toBe(true);
    expect(await signsIn(first, 'old')).toBe(false);
  });

  it('keep their password when the second installation has another one, which is refused', async () => {
    const name = new URL(first.url).pathname.slice(1);
    await expect(ensure(second, 'second')).rejects.toMatchObject({
      name: 'UnsuitableDatabase',
      message: expect.stringContaining(
        `The login "${login}" has another password than its address, and the database ${name} of the same server uses it. Choose other names`,
      ),
    });
    expect(await signsIn(first, 'first')).toBe(true);
  });

  it('may be shared with the same password, also when only their databases admit them', async () => {
    await ensure(second, 'first');
    await withClient(second.adminUrl, (admin) =>
      admin.query(
        `revoke connect on database ${admin.escapeIdentifier(new URL(second.url).pathname.slice(1))} from public`,
      ),
    );
    expect(await signsIn(second, 'first')).toBe(true);
    await ensure(second, 'first');
    await expect(ensure(first, 'other')).rejects.toThrow('has another password than its address');
  });
});
