import { etagOf } from '@riskboard/contract';
import type { QueryClient } from '@tanstack/react-query';
import { ApiError, isMissing, isStale, messageOf, notOverwrittenText } from '../../../lib/api/errors.ts';
import { patchCached, type CachedRecord } from '../../../lib/entity/cache.ts';
import {
  isImportable,
  type DetailOf,
  type Entity,
  type ImportableEntity,
} from '../../../lib/entity/entity.ts';
import { problemsBy, type FormValues } from '../../../lib/entity/form-values.ts';
import { fieldLabel, fieldText } from '../../../lib/entity/field-text.ts';
import { recordFieldsOf } from '../../../lib/entity/preview.ts';
import { callEntity, detailQuery } from '../../../lib/entity/queries.ts';
import { holdRow, patchHeldRow } from '../../../lib/list/held-rows.ts';
import { loadSchemas } from '../../../lib/load-schemas.ts';
import { quoted } from '../../../lib/format/name-text.ts';
import { toast } from '../../feedback/toast.ts';
import { refusedChange, valueOf, type EditedRecord, type FieldChange } from './refused-change.ts';

type Saved = Record<string, unknown> & DetailOf<Entity>;

/** The label of a field in lists, 'Status'. */
const labelOf = ({ entity, name }: Pick<FieldChange, 'entity' | 'name'>): string =>
  fieldLabel(entity.fields, name);

function textOf({ entity, name }: Pick<FieldChange, 'entity' | 'name'>, value: unknown): string {
  const field = entity.fields[name];
  return field === undefined ? String(value) : fieldText(field, value);
}

/** The last change of each record: the next one waits, because it needs the version that this one leads to. */
const running = new Map<string, Promise<unknown>>();

/** The version that an own change has led to, by id and version before it. */
const nextVersions = new Map<string, number>();
const versionKey = (id: string, version: number): string => `${id} ${version}`;

/** The version of a record after the own changes since; another user's change is not among them. */
function ownVersion(id: string, version: number): number {
  const next = nextVersions.get(versionKey(id, version));
  return next === undefined ? version : ownVersion(id, next);
}

/** The changes that are shown and not answered yet. */
const unanswered = new Set<FieldChange>();

/** The other unanswered changes of the same record: they follow this one. */
const followingOf = (change: FieldChange): FieldChange[] =>
  [...unanswered].filter((other) => other !== change && other.record._id === change.record._id);

/** Shows values in every list, pane and page of the record. @returns shows the previous ones again */
async function show(queryClient: QueryClient, { noun }: Entity, record: CachedRecord): Promise<() => void> {
  patchHeldRow(record._id, record);
  return patchCached(queryClient, noun, record);
}

/** Shows the record as a reply has it, with the values of the changes that follow. */
async function showReply(queryClient: QueryClient, change: FieldChange, reply: CachedRecord): Promise<void> {
  const shown = new Set(followingOf(change).map(({ name }) => name));
  const answered = Object.entries(reply).filter(([name]) => !shown.has(name));
  await show(queryClient, change.entity, { ...Object.fromEntries(answered), _id: reply._id });
}

/** Refetches what is shown, once the last change of the record was answered. */
function refetch(queryClient: QueryClient, change: FieldChange): void {
  if (followingOf(change).length === 0)
    void queryClient.invalidateQueries({ queryKey: [change.entity.noun] });
}

type Send = (headers: Readonly<Record<string, string>>) => Promise<Saved>;

const update =
  ({ entity, record, name, value }: FieldChange): Send =>
  (headers) =>
    callEntity(entity.calls.update, { params: { id: record._id }, body: { [name]: value }, headers });

const revert =
  ({ calls }: ImportableEntity, { record, name }: FieldChange): Send =>
  (headers) =>
    callEntity(calls.revert, { params: { id: record._id }, body: { fields: [name] }, headers });

/** Sends a change for the version that the user saw. */
async function inOrder({ _id: id, version }: EditedRecord, send: Send): Promise<Saved> {
  const before = running.get(id);
  const call = (async () => {
    await before?.catch(() => undefined);
    const seen = ownVersion(id, version);
    const saved = await send({ 'if-match': etagOf(seen) });
    if (saved.version !== seen) nextVersions.set(versionKey(id, seen), saved.version);
    return saved;
  })();
  running.set(id, call);
  try {
    return await call;
  } finally {
    if (running.get(id) === call) running.delete(id);
  }
}

/** What the server says about the field, else about the call. */
function reasonOf(error: unknown, name: string): string {
  const detail = error instanceof ApiError ? error.details.find(({ path }) => path === name) : undefined;
  return detail?.message ?? messageOf(error, 'Please try again.');
}

/** The value that a record had before a change, as a request restores it: a calculated one is restored by ''. */
function restoredValue({ entity, record, name }: FieldChange, before: unknown): unknown {
  const values = { ...record, [name]: before } as unknown as FormValues;
  return entity.form.valuesOf?.(values, { ...record })[name] ?? before ?? '';
}

/**
 * The request that restores a value. One that no user may enter, such as a severity of 0 or none, was set by a report: the
 * field gets what the reports say.
 */
async function restoring(change: FieldChange): Promise<Send> {
  const { entity, name, value } = change;
  const schemas = await loadSchemas();
  const problems = schemas === undefined ? {} : problemsBy(entity.form.schemaOf(schemas), { [name]: value });
  return problems[name] !== undefined && isImportable(entity) ? revert(entity, change) : update(change);
}

/** Restores the value from before a change, unless another user has changed the record since. */
async function undo(queryClient: QueryClient, change: FieldChange): Promise<void> {
  const { record, name } = change;
  const what = `${labelOf(change)} of ${quoted(record.name)}`;
  try {
    const saved = await inOrder(record, await restoring(change));
    await showReply(queryClient, change, saved);
    toast.success(`${what} is ${textOf(change, valueOf(saved, name))} again`);
  } catch (error) {
    const reason = isStale(error) ? notOverwrittenText(error) : reasonOf(error, name);
    toast.error(`${what} was not restored`, reason);
  }
  refetch(queryClient, change);
}

function showChanged(queryClient: QueryClient, change: FieldChange, before: unknown, saved: Saved): void {
  const { record, name } = change;
  const id = `changed ${record._id} ${name}`;
  const text = textOf(change, valueOf(saved, name));
  toast.success(`${labelOf(change)} of ${quoted(record.name)} changed to ${text}`, undefined, {
    id,
    action: {
      label: 'Undo',
      onClick() {
        const { _id, version } = saved;
        void undo(queryClient, {
          ...change,
          record: { _id, name: record.name, version },
          value: restoredValue(change, before),
        });
      },
    },
  });
}

/**
 * Changes one field of a record where it is shown. The new value shows at once and is taken back when the server refuses
 * it; the toast names what changed and offers Undo. When another user saved a newer version, nothing is overwritten: the
 * user is asked.
 */
export async function changeField(
  queryClient: QueryClient,
  change: FieldChange & { before: unknown },
): Promise<void> {
  const { entity, record, name, value, before } = change;
  const { _id: id } = record;
  const failure = { id: `not changed ${id} ${name}` };
  toast.close(failure.id);
  holdRow(id);
  unanswered.add(change);
  const rollback = await show(queryClient, entity, {
    ...recordFieldsOf(entity, { [name]: value }),
    _id: id,
  });
  try {
    const saved = await inOrder(record, update(change));
    await showReply(queryClient, change, saved);
    showChanged(queryClient, change, before, saved);
  } catch (error) {
    rollback();
    if (!followingOf(change).some((other) => other.name === name)) patchHeldRow(id, { [name]: before });
    const newer = isStale(error) ? await latest(queryClient, entity, id) : undefined;
    if (newer !== undefined) {
      await showReply(queryClient, change, newer as Saved);
      refusedChange.set({ ...change, before: valueOf(newer, name), newer });
    } else if (isMissing(error)) {
      toast.error(`${quoted(record.name)} was deleted`, 'The change was not saved.', failure);
    } else {
      toast.error(`${labelOf(change)} of ${quoted(record.name)} not changed`, reasonOf(error, name), failure);
    }
  } finally {
    unanswered.delete(change);
  }
  refetch(queryClient, change);
}

/** The record as the server has it now; undefined when it cannot be loaded. */
const latest = (
  queryClient: QueryClient,
  entity: Entity,
  id: string,
): Promise<DetailOf<Entity> | undefined> =>
  queryClient.fetchQuery({ ...detailQuery<Entity>(entity, id), staleTime: 0 }).catch(() => undefined);
