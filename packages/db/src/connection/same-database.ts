import pg from 'pg';
import { UnsuitableDatabase } from '../migrate/unsuitable-database.ts';

/** How long an address may take to answer, in milliseconds. */
const answerMs = 5000;

interface Identity {
  name: string;
  /** Of the server; null where the login may not read it. */
  server: string | null;
}

/** @returns undefined when the address does not answer or refuses the login, which other checks report */
async function identify(url: string): Promise<Identity | undefined> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: answerMs });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ name: string }>('select current_database() as name');
    const server = await client
      .query<{ id: string }>('select system_identifier::text as id from pg_control_system()')
      .catch(() => undefined);
    return rows[0] && { name: rows[0].name, server: server?.rows[0]?.id ?? null };
  } catch {
    return undefined;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The addresses of one installation; an absent one is not compared. */
interface InstallationAddresses {
  ownerUrl?: string | undefined;
  appUrl?: string | undefined;
  systemUrl?: string | undefined;
}

/**
 * Compares what the servers of the addresses say, because one server may have several host names.
 * @throws UnsuitableDatabase when two that answer are different databases; the message names the variables
 */
export async function requireSameDatabase({
  ownerUrl,
  appUrl,
  systemUrl,
}: InstallationAddresses): Promise<void> {
  const addresses = { DATABASE_URL: appUrl, DATABASE_SYSTEM_URL: systemUrl, DATABASE_OWNER_URL: ownerUrl };
  const given = Object.entries(addresses).flatMap(([variable, url]) => (url ? [{ variable, url }] : []));
  if (given.length < 2) return;
  const found = await Promise.all(
    given.map(async ({ variable, url }) => ({ variable, identity: await identify(url) })),
  );
  const [first, ...others] = found.flatMap(({ variable, identity }) =>
    identity ? [{ variable, ...identity }] : [],
  );
  for (const other of others) {
    if (first === undefined) return;
    const isSameServer = first.server === null || other.server === null || first.server === other.server;
    if (isSameServer && first.name === other.name) continue;
    const otherServer = isSameServer ? '' : ' on another server';
    throw new UnsuitableDatabase(
      `Configuration: ${other.variable} leads to the database ${other.name}${otherServer}, but ${first.variable} to ${first.name}: all addresses must lead to one database.`,
    );
  }
}
