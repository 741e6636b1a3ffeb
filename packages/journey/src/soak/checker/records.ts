import type { History, Operation } from '../history.ts';
import type { Finding } from './violation.ts';

const byRecord = ({ operations }: History) =>
  Map.groupBy(
    operations.filter(({ recordId }) => recordId !== undefined),
    ({ recordId }) => recordId ?? '',
  );
const isAcknowledged = ({ outcome }: Operation): boolean => outcome === 'acknowledged';

/** A created record exists once until it is deleted; a refused creation leaves nothing. */
export function acknowledgedRecordsArePresent(history: History): Finding[] {
  const { operations, stored } = history;
  const rows = Map.groupBy(stored.records, ({ name }) => name);
  const deletions = Map.groupBy(
    operations.filter(({ action }) => action === 'delete record'),
    ({ subject }) => subject,
  );
  return operations
    .filter(({ action }) => action === 'create record')
    .flatMap((creation) => {
      const removed = deletions.get(creation.subject) ?? [];
      const isDeleted = removed.some(isAcknowledged);
      const mayBeDeleted = removed.some(({ outcome }) => outcome !== 'failed');
      const least = isAcknowledged(creation) && !mayBeDeleted ? 1 : 0;
      const most = creation.outcome === 'failed' || isDeleted ? 0 : 1;
      const count = rows.get(creation.subject)?.length ?? 0;
      if (count >= least && count <= most) return [];
      const message = `${creation.subject} exists ${count} times; ${least} to ${most} are possible.`;
      return [{ message, shown: [creation, ...removed] }];
    });
}

/** Edits of a record follow each other: each version has one value, and time does not run backwards. */
export function versionsAreLinear(history: History): Finding[] {
  const final = new Map(history.stored.records.map((row) => [row.id, row]));
  return [...byRecord(history)].flatMap(([id, all]) => [
    ...conflictingEdits(all),
    ...differentValues(all),
    ...backwards(all),
    ...behind(all, final.get(id)),
  ]);
}

function conflictingEdits(all: readonly Operation[]): Finding[] {
  const edits = all.filter((operation) => operation.action === 'edit record' && isAcknowledged(operation));
  const findings = edits
    .filter(({ base = 0, version }) => version !== base + 1)
    .map((edit) => ({
      message: `An edit of version ${edit.base} made version ${edit.version}.`,
      shown: [edit],
    }));
  for (const [version, same] of Map.groupBy(edits, (edit) => edit.version)) {
    if (same.length < 2) continue;
    findings.push({ message: `${same.length} edits made version ${version}.`, shown: same });
  }
  return findings;
}

function differentValues(all: readonly Operation[]): Finding[] {
  const seen = all.filter(
    (operation) => isAcknowledged(operation) && typeof operation.version === 'number' && operation.value,
  );
  return [...Map.groupBy(seen, ({ version }) => version)].flatMap(([version, same]) => {
    const values = new Set(same.map(({ value }) => value));
    if (values.size < 2) return [];
    return [{ message: `Version ${version} has the values ${[...values].join(', ')}.`, shown: same }];
  });
}

/** A deleted record has no later version. */
const order = ({ action, version }: Operation): number =>
  action === 'delete record' || version === null ? Infinity : (version ?? 0);

function backwards(all: readonly Operation[]): Finding[] {
  const seen = all.filter(isAcknowledged).toSorted((a, b) => a.endedAt - b.endedAt);
  const later = seen.toSorted((a, b) => a.invokedAt - b.invokedAt);
  const findings: Finding[] = [];
  let newest: Operation | undefined;
  let ended = 0;
  for (const operation of later) {
    for (; ended < seen.length; ended += 1) {
      const done = seen[ended];
      if (!done || done.endedAt >= operation.invokedAt) break;
      if (!newest || order(done) > order(newest)) newest = done;
    }
    if (!newest || order(operation) >= order(newest)) continue;
    const found = order(newest) === Infinity ? 'its deletion' : `version ${order(newest)}`;
    findings.push({
      message: `Version ${order(operation)} was seen after ${found}.`,
      shown: [newest, operation],
    });
  }
  return findings;
}

function behind(all: readonly Operation[], row: History['stored']['records'][number] | undefined): Finding[] {
  if (!row) return [];
  const seen = all.filter((operation) => isAcknowledged(operation) && typeof operation.version === 'number');
  return seen.flatMap((operation) => {
    const version = operation.version ?? 0;
    if (row.version > version) return [];
    if (row.version === version && (!operation.value || operation.value === row.description)) return [];
    const message = `The database has version ${row.version} (${row.description}) of ${row.name}.`;
    return [{ message, shown: [operation] }];
  });
}
