import { z } from 'zod';

/** UUIDv7 made by the application. */
export const Id = z.uuid();
export const IdParams = z.object({ id: Id });
/** ISO 8601, UTC. */
export const Time = z.iso.datetime();
/** Whether a moment in ISO 8601, UTC, is of the years 1 to 9999: others neither the database nor our form of it keep. */
export const isKept = (iso: string): boolean => /^(?!0000)\d{4}-/u.test(iso);

/** Fields that every list reply carries beside its rows. */
export const pageFields = { total: z.int(), page: z.int(), pageSize: z.int() };

export const Deleted = z.object({ success: z.literal(true), _id: Id, id: Id });
export const BulkDeleted = z.object({
  success: z.literal(true),
  deletedCount: z.int(),
  message: z.string(),
  /** Of records that can be restored: which ones are gone. */
  ids: z.array(Id).optional(),
});
/** Long work: accepted, to be watched at `Location` or over the socket. */
export const Accepted = z.object({ jobId: Id, message: z.string() });
