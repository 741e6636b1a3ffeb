import { createHash } from 'node:crypto';

const columns = `
    ordinal integer not null,
    n integer not null,
    id uuid not null,
    kind text collate "C" not null,
    key text collate "C" not null,
    type text collate "C" not null,
    stix_id text collate "C",
    stix_version text,
    object_type text collate "C" not null,
    object_id text collate "C",
    modified timestamptz,
    location text collate "C" not null,
    name text not null,
    data jsonb not null,
    length integer not null,
    state text collate "C" not null,
    newer_location text collate "C",
    newer_modified timestamptz,
    left_out boolean not null default false`;

/** A row up to a page is kept as it is: PostgreSQL would compress one of 2 kB, and a text takes longer to compress than to copy. */
const options = 'toast_tuple_target = 8160';

/**
 * One row for every record that a parse finds, before superseded ones are removed and others merged. A temporary table,
 * because COPY does not work under row-level security. Its name contains a hash of its definition: a session may outlive the
 * process that created the table, behind a connection pooler.
 */
export const stagedName = `staged_${createHash('sha256')
  .update(columns + options)
  .digest('hex')
  .slice(0, 12)}`;

/**
 * The table stays in the session, without rows: creating and dropping one changes some hundred rows of the catalog, and
 * every other session of the database must then discard its copies of them.
 */
export const createStaged = `create temporary table if not exists ${stagedName} (${columns}
  ) with (${options}) on commit delete rows`;
