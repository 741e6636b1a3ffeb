import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { configuredDatabase } from './addresses.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { migrate } from './migrate.ts';
import { clearOrphan } from './orphan.ts';
import { provision } from './provision.ts';

const password = 'administrator';
let home: string;
let cluster: Cluster;

/** The address of a database for a login, whose password is its name. */
const url = (login: string, database: string): string =>
  cluster.url({ name: login, password: login }, database);
const asAdmin = async (text: string, database = 'postgres'): Promise<pg.QueryResult> => {
  const admin = new pg.Client({
    connectionString: cluster.url({ name: 'postgres', password }, database),
  });
  await admin.connect();
  try {
    return await admin.query(text);
  } finally {
    await admin.end();
  }
};

const refusal = { name: 'StartError', exitCode: 78 };

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'riskboard-refusal-'));
  await chmod(home, 0o711);
  cluster = await startCluster({ home, password, settings: { fsync: 'off' } });
  const adminUrl = cluster.url({ name: 'postgres', password }, 'postgres');
  for (const [owner, database] of [
    ['o1', 'd1'],
    ['o2', 'd2'],
  ] as const)
    await provision(adminUrl, { name: owner, password: owner }, { database });
  await migrate({ ownerUrl: url('o1', 'd1'), appUrl: url('a1', 'd1'), systemUrl: url('s1', 'd1') });
}, 60_000);
afterAll(async () => {
  await cluster.stop();
  await clearOrphan(join(home, 'postgres'));
  await rm(home, { recursive: true, force: true });
});

it('addresses of different databases are refused before anything is migrated, and after the logins were created', async () => {
  const appUrl = url('a1', 'd1');
  await expect(migrate({ ownerUrl: url('o2', 'd2'), appUrl })).rejects.toMatchObject({
    ...refusal,
    message:
      'Configuration: DATABASE_OWNER_URL leads to the database d2, but DATABASE_URL to d1: all addresses must lead to one database.',
  });
  await expect(
    migrate({ ownerUrl: url('o1', 'd1'), appUrl, systemUrl: url('s3', 'd2') }),
  ).rejects.toMatchObject({
    ...refusal,
    message: expect.stringContaining('DATABASE_SYSTEM_URL leads to the database d2, but DATABASE_URL to d1'),
  });
});

it('a user that does not own the database is refused with the name of the owner, before anything is created in it', async () => {
  await expect(migrate({ ownerUrl: url('o1', 'd2') })).rejects.toMatchObject({
    ...refusal,
    message:
      "The database user o1 may not create tables in the database d2, which belongs to o2. Set the owner's address (DATABASE_OWNER_URL, or DATABASE_URL without it), or let an administrator run: alter database d2 owner to o1;",
  });
  const { rowCount } = await asAdmin(`select from pg_tables where schemaname = 'public'`, 'd2');
  expect(rowCount).toBe(0);
});

it('a login of requests is refused with the advice to set the owner, and gets no role, when another login signs people in', async () => {
  const environment = { DATABASE_URL: url('a1', 'd1'), DATABASE_SYSTEM_URL: url('s1', 'd1') };
  const addresses = configuredDatabase({ ...environment, DATABASE_OWNER_URL: undefined });
  await expect(migrate(addresses ?? expect.fail('no address'))).rejects.toMatchObject({
    ...refusal,
    message:
      'The database user a1 may not create tables in the database d1, which belongs to o1. Set DATABASE_OWNER_URL to the address of the owner.',
  });
});

it('a login of requests that may create tables, as in databases from before PostgreSQL 15, is refused where another user owns those of the product', async () => {
  await asAdmin('grant create on schema public to public', 'd1');
  await expect(migrate({ ownerUrl: url('a1', 'd1'), systemUrl: url('s1', 'd1') })).rejects.toMatchObject({
    ...refusal,
    message: expect.stringMatching(/belongs to o1\. Set DATABASE_OWNER_URL to the address of the owner\.$/u),
  });
  await asAdmin('revoke create on schema public from public', 'd1');
});

it('an owner that may not grant the roles of another installation is refused with statements that help', async () => {
  const addresses = { ownerUrl: url('o2', 'd2'), appUrl: url('a2', 'd2'), systemUrl: url('s2', 'd2') };
  const statements = async (): Promise<string> => {
    const error = await migrate(addresses).then(
      () => expect.fail('not refused'),
      (reason: unknown) => reason as Error,
    );
    expect(error).toMatchObject(refusal);
    return error.message;
  };
  const grants = await statements();
  expect(grants).toBe(
    'The database user o2 lacks roles that it may not create or grant to itself. Let an administrator run: grant riskboard_app to o2; grant riskboard_system to o2; grant riskboard_search to o2; grant riskboard_backup to o2 with inherit false, set true;',
  );
  await asAdmin(grants.replace(/^.* run: /u, ''));
  for (const login of ['app', 'system']) {
    const message = await statements();
    expect(message).toContain(`grant riskboard_${login} to "o2" with admin option;`);
    await asAdmin(message.replace(/^.* run: /u, ''));
  }
  await migrate(addresses);
  // Other databases of the server remain open to logins without this grant until their owners revoke that of PUBLIC.
  const { rows } = await asAdmin(
    `select grantee::regrole::text from pg_database, aclexplode(datacl)
     where datname = 'd2' and privilege_type = 'CONNECT' and grantee <> 0 order by 1`,
  );
  expect(rows).toEqual([{ grantee: 'a2' }, { grantee: 'o2' }, { grantee: 's2' }]);
}, 60_000);
