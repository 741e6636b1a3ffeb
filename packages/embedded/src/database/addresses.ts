import type { Environment } from '@riskboard/contract/environment';

export interface DatabaseAddresses {
  /** Migrates; not a superuser. */
  ownerUrl: string;
  /** Logins of api and workers, which own nothing. Without appUrl requests use the owner's, without both everything does. */
  appUrl?: string | undefined;
  systemUrl?: string | undefined;
}

/** The configured database; undefined for the embedded one. */
export function configuredDatabase(
  environment: Pick<Environment, 'DATABASE_URL' | 'DATABASE_SYSTEM_URL' | 'DATABASE_OWNER_URL'>,
): DatabaseAddresses | undefined {
  const { DATABASE_URL: appUrl, DATABASE_SYSTEM_URL: systemUrl, DATABASE_OWNER_URL: ownerUrl } = environment;
  if (ownerUrl) return { ownerUrl, appUrl, systemUrl };
  return appUrl ? { ownerUrl: appUrl, systemUrl } : undefined;
}
