import { type ChangedEvent, idsShown, type JobKind } from '@riskboard/contract';
import { actorOf } from '@riskboard/domain';
import { newId, type OrganizationTransaction } from '@riskboard/db';
import type { JobContext } from './context.ts';

/** Rows of a noun that changed: their ids, or only how many where nobody has them. */
export interface Changed {
  type: ChangedEvent['type'];
  rows: readonly string[] | number;
}

/** Rows as they are done: counted, and remembered as long as an event shows them. */
export interface Tally {
  count: number;
  readonly rows: readonly string[] | number;
  add(ids: readonly string[]): void;
}

export function tally(): Tally {
  const kept: string[] = [];
  return {
    count: 0,
    get rows() {
      return this.count > kept.length ? this.count : kept;
    },
    add(ids) {
      this.count += ids.length;
      kept.push(...ids.slice(0, idsShown - kept.length));
    },
  };
}

/** A line of the log; without an id, of several rows. */
export interface Line {
  nounId: string | null;
  name: string;
  detail: Record<string, unknown>;
}

/** '1 asset', '1,200 assets', with what there is to say beside their number; no line of none. */
export function summary(
  count: number,
  [one, many]: readonly [string, string],
  detail: Record<string, unknown> = {},
): Line[] {
  if (count === 0) return [];
  const name = `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
  return [{ nounId: null, name, detail: { ...detail, count } }];
}

/** Writes into the log what the job did for who asked for it. */
export async function recordLines(
  trx: OrganizationTransaction,
  { job, organizationId }: Pick<JobContext<JobKind>, 'job' | 'organizationId'>,
  { action, noun, lines }: { action: string; noun: string; lines: readonly Line[] },
): Promise<void> {
  if (lines.length === 0) return;
  const actor = job.created_by
    ? await trx
        .selectFrom('account')
        .select(['first_name as firstName', 'last_name as lastName', 'email'])
        .where('id', '=', job.created_by)
        .executeTakeFirst()
    : undefined;
  const common = {
    organization_id: organizationId,
    account_id: job.created_by,
    actor: actor ? actorOf(actor) : '',
    action,
    noun,
  };
  for (let from = 0; from < lines.length; from += linesAtOnce) {
    const rows = lines.slice(from, from + linesAtOnce).map(({ nounId, name, detail }) => ({
      ...common,
      id: newId(),
      noun_id: nounId,
      name,
      detail: JSON.stringify(detail),
    }));
    await trx.insertInto('activity').values(rows).execute();
  }
}

/** A statement takes 65,535 parameters. */
const linesAtOnce = 1000;
