import { useEffect, useId, useMemo, useRef, useState, type RefObject } from 'react';
import { ApiError } from '../../lib/api/errors.ts';
import { loadSchemas } from '../../lib/schemas.ts';
import { createStore } from '../../lib/browser/store.ts';
import { differences, type Difference } from './conflict.ts';
import type { Refused, Standing } from './form-context.ts';
import { changedFields, type FormSpec, type Versioned } from './form-spec.ts';
import { refusalOf } from './refusal.ts';
import { blockedReason } from './submit-reason.ts';
import { useAppForm } from './use-app-form.tsx';
import { useProblems } from './use-problems.ts';

interface RecordFormOptions<Detail, Body> {
  /** What is edited; absent: a new record. */
  record?: Detail | undefined;
  /** Creates with the whole body, or changes the fields given, unless a newer version is there. */
  save: (body: Body, change: { fields: Partial<Body>; version: number | undefined }) => Promise<Detail>;
  /** The record as it is on the server now. */
  latest?: () => Promise<Detail>;
  /** Runs when it is saved: leads away from the form. */
  onSaved: (saved: Detail) => void | Promise<void>;
  /** Why nothing can be changed here. */
  locked: string | undefined;
}

/** What `FormPage` needs of a form, whatever its fields. */
export interface FormControl {
  readonly standing: Standing;
  readonly editing: boolean;
  readonly busy: boolean;
  readonly summary: RefObject<HTMLElement | null>;
  /** What the server refused as a whole. */
  readonly message: string | undefined;
  /** Why it cannot be sent as these values stand; undefined: it can. */
  readonly blocked: (values: unknown) => string | undefined;
  readonly isChanged: () => boolean;
  readonly submit: () => void;
  readonly conflict:
    | {
        changedBy: string;
        differences: Difference[];
        close: () => void;
        reload: () => void;
        overwrite: () => void;
      }
    | undefined;
}

/**
 * A form over a record, new or saved: validation by its spec, sending what has changed under the version that was
 * seen, the server's words at their fields, and the question when somebody else was faster.
 */
export function useRecordForm<Values extends object, Detail extends Versioned, Body extends object>(
  spec: FormSpec<Values, Detail, Body>,
  { record, save, latest, onSaved, locked }: RecordFormOptions<Detail, Body>,
) {
  const id = useId();
  const [base, setBase] = useState(() => ({ version: record?.version, values: spec.valuesOf(record) }));
  const form = useAppForm(base.values);
  const [busy, setBusy] = useState(false);
  const [message, setMessage] = useState<string>();
  const [newer, setNewer] = useState<Detail>();
  const [attempted] = useState(() => createStore(false));
  const [refused] = useState(() => createStore<Readonly<Record<string, Refused>>>({}));
  const saved = useRef(false);
  const summary = useRef<HTMLElement>(null);
  const editing = record !== undefined;
  const problemsOf = useProblems(spec);

  const fieldsOf = (values: Values) => changedFields(spec.bodyOf(base.values), spec.bodyOf(values));
  const isChanged = () => !saved.current && Object.keys(fieldsOf(form.store.get().values)).length > 0;

  /** Goes on from a version of the record; what was typed is gone. */
  function adopt(next: Detail): void {
    const values = spec.valuesOf(next);
    setBase({ version: next.version, values });
    form.reset(values);
    attempted.set(false);
    refused.set({});
    setMessage(undefined);
    setNewer(undefined);
  }

  // Somebody else saved it while nothing was typed here: the form shows what is.
  useEffect(() => {
    if (
      record !== undefined &&
      record.version > (base.version ?? 0) &&
      !busy &&
      !isChanged() &&
      !saved.current
    ) {
      adopt(record);
    }
  });

  const toSummary = () => requestAnimationFrame(() => summary.current?.focus());

  function tell(error: unknown, values: Values): void {
    const refusal = refusalOf(error, values);
    refused.set(refusal.fields);
    setMessage(refusal.message);
    toSummary();
  }

  async function send(version: number | undefined): Promise<void> {
    const { values } = form.store.get();
    setBusy(true);
    setMessage(undefined);
    refused.set({});
    try {
      const done = await save(spec.bodyOf(values), { fields: fieldsOf(values), version });
      saved.current = true;
      await onSaved(done);
    } catch (error) {
      const stale = error instanceof ApiError && error.code === 'stale_version' && latest !== undefined;
      const there = stale ? await latest().catch(() => undefined) : undefined;
      if (there === undefined) tell(error, values);
      setNewer(there);
    } finally {
      setBusy(false);
    }
  }

  async function submit(): Promise<void> {
    if (busy || locked !== undefined) return;
    attempted.set(true);
    const schemas = await loadSchemas();
    const problems = schemas === undefined ? {} : spec.problemsOf(form.store.get().values, schemas);
    if (Object.keys(problems).length > 0) return void toSummary();
    if (editing && !isChanged()) return;
    await send(base.version);
  }

  const standing = useMemo<Standing>(
    () => ({
      id,
      labels: spec.labels,
      required: new Set(spec.required),
      problemOf: (name, values) => problemsOf(values as Values)[name],
      attempted,
      refused,
      locked,
    }),
    [id, spec, problemsOf, attempted, refused, locked],
  );

  const control: FormControl = {
    standing,
    editing,
    busy,
    summary,
    message,
    blocked(values) {
      const now = values as Values;
      return blockedReason(spec, now, {
        editing,
        valid: Object.keys(problemsOf(now)).length === 0,
        changed: Object.keys(fieldsOf(now)).length > 0,
      });
    },
    isChanged,
    submit: () => void submit(),
    conflict: newer && {
      changedBy: newer.updatedBy,
      differences: differences(spec, {
        base: base.values,
        mine: form.store.get().values,
        theirs: spec.valuesOf(newer),
      }),
      close: () => setNewer(undefined),
      reload: () => adopt(newer),
      overwrite: () => void send(undefined),
    },
  };
  return { form, control };
}
