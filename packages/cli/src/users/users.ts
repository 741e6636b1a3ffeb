import { readWorkerEnvironment } from '@riskboard/contract/environment';
import { openDatabase } from '@riskboard/db';
import { openServerDatabase } from '@riskboard/embedded';
import { isConnectionError } from '@riskboard/operation';
import { CliError, exits, type Run } from '../command.ts';
import { textTable } from '../terminal/text-table.ts';

/** One account in one organization; without an organization for an account that has none. */
interface User {
  email: string;
  name: string;
  organization: string;
  role: string;
  secondFactor: boolean;
  lastSignIn: string | null;
}

/** SQLSTATE: insufficient privilege, wrong user or password, unknown database. */
const refused = /^(?:42501|28|3D000)/u;

/** @returns one line for an error that the operator can fix; other errors unchanged */
function explained(error: unknown): unknown {
  if (isConnectionError(error)) {
    const reason = (error as Error).message || String((error as NodeJS.ErrnoException).code);
    return new CliError(`The database cannot be reached: ${reason}`, exits.failed, error);
  }
  if (error instanceof Error && 'code' in error && refused.test(String(error.code)))
    return new CliError(
      `The database refuses to show the accounts: ${error.message}. Set DATABASE_SYSTEM_URL or DATABASE_OWNER_URL.`,
      exits.failed,
      error,
    );
  return error;
}

async function readUsers(url: string, systemUrl: string | undefined): Promise<User[]> {
  const database = openDatabase({ url, systemUrl, max: 1 });
  try {
    const rows = await database.system
      .selectFrom('account')
      .leftJoin('membership', 'membership.account_id', 'account.id')
      .leftJoin('organization', 'organization.organization_id', 'membership.organization_id')
      .select((expression) => [
        'account.email',
        'account.first_name',
        'account.last_name',
        'account.totp_enabled_at',
        'organization.name as organization',
        'membership.role',
        expression
          .selectFrom('session')
          .whereRef('session.account_id', '=', 'account.id')
          .select(({ fn }) => fn.max('session.created_at').as('at'))
          .as('signed_in_at'),
      ])
      .orderBy('account.email')
      .orderBy('organization.name')
      .execute();
    return rows.map((row) => ({
      email: row.email,
      name: `${row.first_name} ${row.last_name}`.trim(),
      organization: row.organization ?? '',
      role: row.role ?? '',
      secondFactor: row.totp_enabled_at !== null,
      lastSignIn: row.signed_in_at === null ? null : new Date(row.signed_in_at).toISOString(),
    }));
  } catch (error) {
    throw explained(error);
  } finally {
    await database.close();
  }
}

/** Lists the accounts of all organizations, from the database. */
export const listUsers: Run<{ json: { type: 'boolean'; help: string } }> = async ({ options, io }) => {
  const environment = readWorkerEnvironment({ ...io.environment });
  await using server = await openServerDatabase(environment, 'shared');
  const { DATABASE_URL, DATABASE_OWNER_URL, DATABASE_SYSTEM_URL } = environment;
  const systemUrl = DATABASE_URL && !DATABASE_OWNER_URL ? DATABASE_SYSTEM_URL : undefined;
  const users = await readUsers(server.addresses.ownerUrl, systemUrl);
  if (options.json) {
    io.stdout.writeJson({ users }, 2);
    return exits.done;
  }
  const rows = users.map((user) => [
    user.email,
    user.name,
    user.organization,
    user.role,
    user.secondFactor ? 'yes' : 'no',
    user.lastSignIn?.slice(0, 16).replace('T', ' ') ?? '',
  ]);
  io.stdout.write(
    users.length === 0
      ? 'There are no accounts.\n'
      : textTable(
          ['email', 'name', 'organization', 'role', 'second factor', 'last sign-in (UTC, 30 days)'],
          rows,
        ),
  );
  return exits.done;
};
