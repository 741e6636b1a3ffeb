import type { ApiToken } from '@riskboard/contract';
import type { Schema } from '@riskboard/db';
import { type Selectable, sql } from 'kysely';

/** Columns to present; never the hash. `expired` uses the database's clock, which also decides at use. */
export const tokenColumns = [
  'id',
  'name',
  'role',
  'hint',
  'created_at',
  'expires_at',
  'last_used_at',
  sql<boolean>`expires_at <= now()`.as('expired'),
] as const;

type TokenRow = Pick<
  Selectable<Schema['api_token']>,
  'id' | 'name' | 'role' | 'hint' | 'created_at' | 'expires_at' | 'last_used_at'
> & { expired: boolean };

export const presentToken = (row: TokenRow): ApiToken => ({
  _id: row.id,
  name: row.name,
  role: row.role,
  hint: row.hint,
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
  expired: row.expired,
});
