import { isVisible, plainLine } from '@riskboard/domain';
import { z } from 'zod';
import { errors } from '../errors.ts';

/** UUIDv7 made by the application. */
export const Id = z.uuid();

export const IdParams = z.object({ id: Id.describe('`_id` of the object.') });

/** ISO 8601, UTC. */
export const Time = z.iso.datetime();

/** Whether a day or time in ISO 8601, UTC, is in the years 1 to 9999; neither the database nor this format can hold others. */
export const isKept = (iso: string): boolean => /^(?!0000)\d{4}-/u.test(iso);

/** A calendar day, YYYY-MM-DD. */
export const Day = z.iso.date().refine(isKept, 'Enter a date.');

/** Number of rows; `totalIsCapped`: counting stopped at `mostCounted`, and there are more. */
export const totalFields = { total: z.int(), totalIsCapped: z.literal(true).optional() };

/** Fields of every list reply in addition to its rows. */
export const pageFields = { ...totalFields, page: z.int(), pageSize: z.int() };

export const Deleted = z.object({ success: z.literal(true), _id: Id, id: Id });

export const BulkDeleted = z.object({
  success: z.literal(true),
  deletedCount: z.int(),
  message: z.string(),
  ids: z.array(Id).optional().describe('Ids of the deleted records, where they can be restored.'),
});

/** Long work: accepted, to be watched at `Location` or over the socket. */
export const Accepted = z.object({ jobId: Id, message: z.string() });

/** Refuses a text without a visible character, also an empty one. */
export const requiredText = (schema: z.ZodString, message: string) =>
  schema.min(1, { error: message, abort: true }).refine(isVisible, message);

/** A name on one line. `message` says that it is missing. */
export const requiredName = (message: string) =>
  requiredText(z.string().overwrite(plainLine).trim(), message);

/** The name of something that a user makes. */
export const Name = requiredName('Enter a name.');

/** A name on one line that may be left blank; empty without a visible character. */
export const OptionalName = z
  .string()
  .overwrite(plainLine)
  .trim()
  .overwrite((text) => (isVisible(text) ? text : ''));

/** One field that is not valid; `path` as in the request body, dot separated. */
export const FieldIssue = z.object({ path: z.string(), message: z.string() });

/** The reply to every failed call (contract, HTTP). `message` is the text a person reads. */
export const ErrorReply = z
  .object({
    statusCode: z.int(),
    code: z.string().meta({
      description: `One of ${Object.keys(errors).join(', ')}. Their meanings: docs/operations.md, Error codes.`,
    }),
    error: z.string(),
    message: z.string(),
    requestId: z.string(),
    details: z.array(FieldIssue).optional(),
  })
  .meta({ id: 'Error' });
export type ErrorReply = z.infer<typeof ErrorReply>;
