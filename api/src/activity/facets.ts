import type { activity, Reply, Role } from '@riskboard/contract';
import type { OrganizationTransaction } from '@riskboard/db';
import { visibleTo } from './select-entries.ts';

interface Group {
  noun: string;
  action: string;
  account_id: string | null;
  actor: string;
  count: number;
  newest: Date;
}

const byCount = (a: { count: number }, b: { count: number }): number => b.count - a.count;

/** Groups of one value added up. */
function addUp<T>(groups: Group[], entryOf: (group: Group) => T & { value: string }) {
  const found = new Map<string, T & { value: string; count: number }>();
  for (const group of groups) {
    const entry = entryOf(group);
    found.set(entry.value, { ...entry, count: (found.get(entry.value)?.count ?? 0) + group.count });
  }
  return [...found.values()].toSorted(byCount);
}

/** People by their account, each called as in their newest entry. */
function people(groups: Group[]) {
  const found = new Map<string, { value: string; label: string; count: number; newest: Date }>();
  for (const { account_id: value, actor: label, count, newest } of groups) {
    if (value === null) continue;
    const known = found.get(value) ?? { value, label, count: 0, newest };
    found.set(value, {
      ...known,
      ...(newest > known.newest ? { label, newest } : {}),
      count: known.count + count,
    });
  }
  return [...found.values()].map(({ value, label, count }) => ({ value, label, count })).toSorted(byCount);
}

/** What the log can be narrowed by, the most frequent first: one walk over what this role may see. */
export async function activityFacets(
  trx: OrganizationTransaction,
  role: Role,
): Promise<Reply<typeof activity.facets>> {
  const groups = await visibleTo(trx, role)
    .select(['noun', 'action', 'account_id', 'actor'])
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.max('at').as('newest')])
    .groupBy(['noun', 'action', 'account_id', 'actor'])
    .execute();
  return {
    noun: addUp(groups, ({ noun }) => ({ value: noun })),
    action: addUp(groups, ({ noun, action }) => ({ value: action, noun })),
    actorId: people(groups),
  };
}
