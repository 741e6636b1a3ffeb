import { existedAt, type ListSource } from '@riskboard/db';
import { type RawBuilder, sql } from 'kysely';
import type { JobContext } from '../run/context.ts';

type Context = JobContext<'records.delete' | 'records.update' | 'cwss.calculate'>;

/** Whether the row `r` of a list existed when the job was requested: later rows are not part of the request. */
export const existedAtRequest = (source: ListSource, { job, payload }: Context): RawBuilder<boolean> =>
  existedAt(source, {
    at: sql`(select created_at from job where organization_id = current_organization() and id = ${job.id})`,
    runningTransactions: payload.runningTransactions,
  });
