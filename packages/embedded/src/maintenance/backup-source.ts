import { type BackupSource, fingerprint } from '@riskboard/backup';
import type { Secrets } from '../data/secrets.ts';

export const secretNames = ['SESSION_SECRET', 'WEBHOOK_KEY'] as const;
export type SecretName = (typeof secretNames)[number];
export type NamedSecrets = Partial<Record<SecretName, string>>;

type Given = Readonly<Partial<Record<SecretName, string | undefined>>>;
type Own = Pick<Secrets, 'sessionSecret' | 'webhookKey'> | undefined;

const present = (secrets: Record<SecretName, string | undefined>): NamedSecrets =>
  Object.fromEntries(Object.entries(secrets).filter(([, value]) => value !== undefined && value !== ''));

/**
 * The secrets that the rows of the database depend on. `generated`: by this installation, in its data folder; a variable
 * of the environment wins, and its operator keeps it. `known`: all that this process can see.
 */
export function secretsOf(own: Own, environment: Given): { generated: NamedSecrets; known: NamedSecrets } {
  const given = present({
    SESSION_SECRET: environment.SESSION_SECRET,
    WEBHOOK_KEY: environment.WEBHOOK_KEY,
  });
  const stored = present({ SESSION_SECRET: own?.sessionSecret, WEBHOOK_KEY: own?.webhookKey });
  const generated = Object.fromEntries(
    Object.entries(stored).filter(([name]) => given[name as SecretName] === undefined),
  );
  return { generated, known: { ...stored, ...given } };
}

/** What a backup of this installation reads: the database, and generated secrets, without which its rows are of less use. */
export function backupSource(ownerUrl: string, own: Own, environment: Given): BackupSource {
  const { generated, known } = secretsOf(own, environment);
  return {
    ownerUrl,
    secrets: { sessionSecret: generated.SESSION_SECRET, webhookKey: generated.WEBHOOK_KEY },
    fingerprints: Object.fromEntries(
      Object.entries(known).map(([name, value]) => [name, fingerprint(name, value)]),
    ),
  };
}
