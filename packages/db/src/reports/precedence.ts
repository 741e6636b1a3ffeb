import { sql } from 'kysely';

/**
 * The order of the report rows `r` that assert a record: the newest `modified` first; among equals the file that was uploaded
 * first, because an extraction overwrites only with newer data (STIX mapping, identity keys). Ids of files rise with time.
 */
export const byPrecedence = sql`r.modified desc nulls last, r.file_id`;
