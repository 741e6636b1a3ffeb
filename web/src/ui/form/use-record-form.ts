import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useId, useMemo, useRef, useState, type RefObject } from 'react';
import {
  isMissing,
  isSessionChange,
  isSessionEnd,
  isStale,
  isUnanswered,
  unreachableText,
} from '../../lib/api/errors.ts';
import { createStore } from '../../lib/browser/store.ts';
import { newAttempt, nextAttempt, unknownCreation } from '../../lib/entity/creation.ts';
import type { Body, DetailOf, Entity } from '../../lib/entity/entity.ts';
import { formLabel } from '../../lib/entity/field-text.ts';
import {
  bodyOf,
  changedFields,
  problemsOf,
  valuesOf,
  type FormDraft,
  type FormValues,
} from '../../lib/entity/form-values.ts';
import { useCreate, useUpdate } from '../../lib/entity/mutations.ts';
import { detailQuery } from '../../lib/entity/queries.ts';
import { useOneAtATime } from '../../lib/hooks/use-one-at-a-time.ts';
import { liveState } from '../../lib/live/live-state.ts';
import { loadSchemas } from '../../lib/load-schemas.ts';
import { keepDraft } from '../../lib/session/kept-draft.ts';
import { toast, type ToastOptions } from '../feedback/toast.ts';
import type { Conflict } from './conflict-dialog.tsx';
import type { Entered, FormState, Pending } from './form-context.ts';
import { deletedRefusal, refusalOf, refusedOf, useBlocking, useProblems } from './form-problems.ts';
import { useKeepDraft, useRestoredDraft, type KeptFor } from './use-kept-draft.ts';

interface RecordFormOptions<Detail> {
  /** The record to edit; absent: a new record. */
  record: Detail | undefined;
  /** Values of a new record that are known beforehand, or before anything is entered. */
  initial: FormValues | undefined;
  keptFor: KeptFor;
  /** Why the form is read-only. */
  locked: string | undefined;
  /** What was entered into the form of a new record before the server refused it. */
  draft: FormDraft | undefined;
  /** Called with the changed record: leads away from the form. */
  onSaved: (saved: Detail) => void | Promise<void>;
  /**
   * Called when a new record is sent: leads away from the form before the server has answered.
   * @returns whether the page of the form was left
   */
  onSent: () => Promise<boolean>;
  /** Called when the server has created the record. Returns the action of the toast. */
  onCreated: (saved: Detail) => ToastOptions['action'];
  /** Called when the session had ended before the new record was created; its input is kept. */
  onSignedOut: () => void;
  /** Called when the server refused the new record. Returns the action of the toast. */
  onRefused: (draft: FormDraft) => ToastOptions['action'];
}

/** The form of a record. */
export interface RecordForm {
  readonly state: FormState;
  readonly busy: boolean;
  readonly summary: RefObject<HTMLElement | null>;
  /** The server's message that belongs to no field. */
  readonly message: string | undefined;
  /** Why these values cannot be submitted; undefined when they can. */
  readonly blockedBy: (values: FormValues) => string | undefined;
  readonly isChanged: () => boolean;
  readonly submit: () => void;
  readonly conflict: Conflict | undefined;
  /** Discards the input that was restored from an ended session; undefined when nothing was restored. */
  readonly discardRestored: (() => void) | undefined;
}

/** The fields that every change of the version that the form started from names. */
function sentAlways(entity: Entity, values: FormValues): Body {
  const body = bodyOf(entity, values);
  return Object.fromEntries((entity.form.alwaysSent ?? []).map((name) => [name, body[name]]));
}

const laterInputText = 'What you entered while the form was being saved is not saved yet.';

const untouched = (values: FormValues): Entered => ({ values, left: new Set() });

/**
 * The form of a new or saved record: it validates by the contract's schema, sends the changed fields with the version
 * that the user saw, shows the server's messages at their fields, and asks when another user saved a newer version.
 */
export function useRecordForm<E extends Entity>(
  entity: E,
  {
    record,
    initial,
    keptFor,
    locked,
    draft,
    onSaved,
    onSent,
    onCreated,
    onSignedOut,
    onRefused,
  }: RecordFormOptions<DetailOf<E>>,
): RecordForm {
  const id = useId();
  const queryClient = useQueryClient();
  const create = useCreate(entity);
  const update = useUpdate(entity);
  const blank = { version: record?.version, values: { ...valuesOf(entity, record), ...initial } };
  const [restored, discardRestored] = useRestoredDraft<FormValues>(keptFor, draft === undefined);
  const [base, setBase] = useState(restored?.base ?? blank);
  const [entered] = useState(() => createStore(untouched(draft?.values ?? restored?.values ?? base.values)));
  const [busy, setBusy] = useState(false);
  const oneAtATime = useOneAtATime();
  const [message, setMessage] = useState(draft?.message);
  const [attempt, setAttempt] = useState(() => draft?.attempt ?? restored?.attempt ?? newAttempt());
  const [newer, setNewer] = useState<DetailOf<E>>();
  const [attempted] = useState(() => createStore(false));
  const [refused] = useState(() => createStore(refusedOf(draft)));
  const [pending] = useState(() => createStore<Readonly<Record<string, Pending>>>({}));
  /** The input was sent as a new record, or saved: the page of the form is being left. */
  const saved = useRef(false);
  const summary = useRef<HTMLElement>(null);
  const focusSummary = useCallback(() => void requestAnimationFrame(() => summary.current?.focus()), []);
  const savedValues = record === undefined ? undefined : base.values;
  const problems = useProblems(entity, savedValues);

  const changes = useCallback(
    (values: FormValues) => changedFields(bodyOf(entity, base.values), bodyOf(entity, values)),
    [entity, base],
  );
  const { blockedBy, marksProblems } = useBlocking(entity, {
    saved: savedValues,
    changes: record === undefined ? undefined : changes,
    problems,
  });
  const isEdited = () => Object.keys(changes(entered.get().values)).length > 0;
  const isUnsaved = () =>
    Object.values(pending.get()).some((one) => one.isUnsaved || one.blockedBy !== undefined);
  const isChanged = () => !saved.current && (isEdited() || isUnsaved());

  useKeepDraft(keptFor, () => (isChanged() ? { base, values: entered.get().values, attempt } : undefined));

  /** Starts over from a version of the record; discards what the user entered. */
  function adopt(next: DetailOf<E>): void {
    startFrom({ version: next.version, values: valuesOf(entity, next) });
  }

  function startFrom(next: typeof base): void {
    const { values } = next;
    discardRestored();
    setBase(next);
    setAttempt(newAttempt());
    entered.set(untouched(values));
    attempted.set(false);
    refused.set({});
    setMessage(undefined);
    setNewer(undefined);
  }

  // Another user saved the record while nothing was entered here: the form shows the saved values.
  useEffect(() => {
    const isNewer = record !== undefined && record.version > (base.version ?? 0);
    if (isNewer && !busy && !isChanged() && !saved.current) adopt(record);
  });

  // A value of the new record became known while nothing was entered.
  useEffect(() => {
    const isNew = Object.entries(initial ?? {}).some(([name, value]) => base.values[name] !== value);
    if (isNew && !isChanged() && !saved.current) startFrom(blank);
  });

  useEffect(
    () =>
      liveState.subscribe(() => {
        if (liveState.get() === 'live') setMessage((now) => (now === unreachableText ? undefined : now));
      }),
    [],
  );

  // The problems of a refused new record: the summary takes the focus as after a refusal in the form.
  useEffect(() => {
    if (draft !== undefined) focusSummary();
  }, [draft, focusSummary]);

  function showRefusal(refusal: FormDraft): void {
    refused.set(refusedOf(refusal));
    setMessage(refusal.message);
    focusSummary();
  }

  /** Sends a new record and leaves: its list shows it from now on. */
  async function sendNew(): Promise<void> {
    const { values } = entered.get();
    saved.current = true;
    const body = bodyOf(entity, values);
    create.mutate({
      body,
      attempt,
      onCreated,
      onRefused(error) {
        const next = nextAttempt(attempt, body, error);
        if (!isSessionEnd(error) && !isSessionChange(error)) {
          const refusal = refusalOf(error, values);
          const message = isUnanswered(error) ? unknownCreation(entity, error) : refusal.message;
          return onRefused({ ...refusal, message, attempt: next });
        }
        keepDraft(keptFor.owner, keptFor.path, { base, values, attempt: next });
        if (isSessionEnd(error)) onSignedOut();
        return undefined;
      },
    });
    const isLeft = await onSent();
    if (isLeft) return;
    // The user went to the form of another new record meanwhile.
    saved.current = false;
    startFrom(blank);
  }

  /** The record as the server has it now; undefined when it cannot be loaded. */
  async function latest(): Promise<DetailOf<E> | undefined> {
    if (record === undefined) return undefined;
    const query = { ...detailQuery<E>(entity, record._id), staleTime: 0 };
    return queryClient.fetchQuery(query).catch(() => undefined);
  }

  /**
   * Continues with what was entered while the form was being saved.
   * @param sent the values that were saved
   * @returns whether there is such input
   */
  function keepsLaterInput(done: DetailOf<E>, sent: FormValues): boolean {
    const { values, left } = entered.get();
    const later = changedFields(sent, values) as FormValues;
    if (Object.keys(later).length === 0) return false;
    const now = valuesOf(entity, done);
    startFrom({ version: done.version, values: now });
    entered.set({ values: { ...now, ...later }, left });
    toast.info(laterInputText);
    return true;
  }

  /** Saves the changed fields over the version that the user saw; a newer one is asked about. */
  async function send({ _id: id }: DetailOf<E>, version: number | undefined): Promise<void> {
    const { values } = entered.get();
    setMessage(undefined);
    refused.set({});
    setNewer(undefined);
    try {
      // Over another version than that of the form, unchanged fields could undo another user's change.
      const unchanged = version === base.version ? sentAlways(entity, values) : {};
      const done = await update.mutateAsync({ id, change: { ...unchanged, ...changes(values) }, version });
      if (keepsLaterInput(done, values)) return;
      saved.current = true;
      await onSaved(done);
    } catch (error) {
      const current = isStale(error) ? await latest() : undefined;
      if (current === undefined)
        showRefusal(isMissing(error) ? deletedRefusal(entity, values) : refusalOf(error, values));
      setNewer(current);
    }
  }

  /** Busy from the click on: the schemas may still be loading. Input that was sent is not sent again while the page is left. */
  const exclusively = (task: () => Promise<void>) =>
    oneAtATime(async () => {
      if (saved.current) return;
      setBusy(true);
      try {
        await task();
      } finally {
        setBusy(false);
      }
    });

  async function submit(): Promise<void> {
    if (locked !== undefined) return;
    attempted.set(true);
    const schemas = await loadSchemas();
    const checked = { values: entered.get().values, saved: savedValues };
    const found = schemas === undefined ? {} : problemsOf(entity, checked, schemas);
    const isBlocked = Object.values(pending.get()).some(({ blockedBy }) => blockedBy !== undefined);
    if (isBlocked || Object.keys(found).length > 0) return focusSummary();
    if (record === undefined) return sendNew();
    if (isEdited()) await send(record, base.version);
  }

  const state = useMemo<FormState>(
    () => ({
      id,
      entity,
      entered,
      labelOf: (name) => formLabel(entity.fields, name),
      isRequired: (name) => entity.fields[name]?.required === true,
      problemOf: (name, values) => problems(values)[name],
      marksProblems,
      attempted,
      refused,
      pending,
      locked,
    }),
    [id, entity, entered, problems, marksProblems, attempted, refused, pending, locked],
  );

  return {
    state,
    busy,
    summary,
    message,
    blockedBy,
    isChanged,
    submit: () => void exclusively(submit),
    conflict: newer && {
      changedBy: newer.updatedBy,
      values: { base: base.values, mine: entered.get().values, theirs: valuesOf(entity, newer) },
      close: () => setNewer(undefined),
      reload: () => adopt(newer),
      overwrite: () => void exclusively(() => send(newer, newer.version)),
    },
    discardRestored: restored && (() => startFrom(blank)),
  };
}
