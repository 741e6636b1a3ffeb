import { etagOf, vignettes, type Vignette } from '@riskboard/contract';
import { isVisible } from '@riskboard/domain';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { call } from '../../../lib/api/call.ts';
import { ApiError, isStale, messageOf } from '../../../lib/api/errors.ts';
import { useOneAtATime } from '../../../lib/hooks/use-one-at-a-time.ts';
import { toast } from '../../../ui/feedback/toast.ts';
import { useKeepDraft, useKeptFor, useRestoredDraft } from '../../../ui/form/use-kept-draft.ts';
import { vignetteQuery } from '../queries.ts';
import { staleText, useVignetteActions } from '../use-vignette-actions.ts';
import {
  cellProblems,
  contentOf,
  draftOf,
  isChanged,
  mergedDraft,
  scorecardOf,
  type Draft,
} from './draft.ts';

interface VignetteFormOptions {
  /** The vignette to edit as the server has it now; undefined: a new one. */
  vignette: Vignette | undefined;
  /** What the form starts with. */
  start: Draft;
  /** Another user deleted the vignette: saving creates it again. */
  isDeleted: boolean;
  onSaved: (id: string) => void;
}

/** Why the server refused the form. */
interface Refusal {
  readonly message: string;
  readonly details: readonly { readonly path: string; readonly message: string }[];
}

/** A newer version that another user saved during the edit. */
export interface Conflict {
  readonly newer: Vignette;
  readonly drafts: { readonly base: Draft; readonly mine: Draft; readonly theirs: Draft };
}

/** Why a draft cannot be saved; undefined when it can. */
function blockedBy(draft: Draft, { base, problems }: { base: Draft | undefined; problems: number }) {
  if (!isVisible(draft.name)) return 'Required: Name.';
  if (problems > 0) return 'Correct the marked cells first.';
  if (scorecardOf(draft.cells).length === 0) return 'Rate at least one cell.';
  if (base !== undefined && !isChanged(base, draft)) return 'Nothing has changed yet.';
  return undefined;
}

/** The form of a vignette: it saves a new version, and asks when another user saved one meanwhile. */
export function useVignetteForm({ vignette, start, isDeleted, onSaved }: VignetteFormOptions) {
  const queryClient = useQueryClient();
  const { refresh } = useVignetteActions();
  const blank = {
    version: vignette?.version,
    values: vignette === undefined ? start : draftOf(vignette),
  };
  const keptFor = useKeptFor();
  const [restored, forgetRestored] = useRestoredDraft<Draft>(keptFor);
  const [base, setBase] = useState(restored?.base ?? blank);
  const [draft, setDraft] = useState(restored?.values ?? start);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();
  const [conflict, setConflict] = useState<Conflict>();
  const oneAtATime = useOneAtATime();
  /** The page of the form is being left. */
  const saved = useRef(false);
  const problems = useMemo(
    () => cellProblems(draft.cells, base.values.cells),
    [draft.cells, base.values.cells],
  );
  const hasChanged = isChanged(base.values, draft);
  const isNew = vignette === undefined || isDeleted;

  const isUnsaved = () => hasChanged && !saved.current;
  useKeepDraft(keptFor, () => (isUnsaved() ? { base, values: draft } : undefined));

  /** Starts over; discards what was typed. */
  function startFrom(next: typeof base, values: Draft): void {
    forgetRestored();
    setBase(next);
    setDraft(values);
    setRefusal(undefined);
    setConflict(undefined);
  }

  const adopt = (next: Vignette) => {
    const values = draftOf(next);
    startFrom({ version: next.version, values }, values);
  };

  const isBehind = vignette !== undefined && vignette.version > (base.version ?? 0);
  // Another user saved a version while nothing was typed here.
  useEffect(() => {
    if (isBehind && !hasChanged && !busy && !saved.current) adopt(vignette);
  });

  const ask = (newer: Vignette) =>
    setConflict({ newer, drafts: { base: base.values, mine: draft, theirs: draftOf(newer) } });

  function succeeded(done: Vignette): void {
    saved.current = true;
    queryClient.setQueryData(vignetteQuery(done._id).queryKey, done);
    if (isNew) toast.success('Vignette created', `ID ${done._id} · ${done.scorecardName}`);
    else
      toast.success('Vignette updated', `Version ${done.version}. ${staleText(done.vulnerabilities)}`.trim());
    void refresh();
    onSaved(done._id);
  }

  /** Shows the newer version; false when the refusal was for another reason, or the vignette cannot be loaded. */
  async function askAboutNewer(refused: unknown): Promise<boolean> {
    if (vignette === undefined || !isStale(refused)) return false;
    const query = { ...vignetteQuery(vignette._id), staleTime: 0 };
    const newer = await queryClient.fetchQuery(query).catch(() => undefined);
    if (newer !== undefined) ask(newer);
    return newer !== undefined;
  }

  async function send(values: Draft, version: number): Promise<void> {
    if (saved.current) return;
    const body = contentOf(values);
    setRefusal(undefined);
    setConflict(undefined);
    setBusy(true);
    try {
      succeeded(
        isNew
          ? await call(vignettes.create, { body })
          : await call(vignettes.update, {
              params: { id: vignette._id },
              body,
              headers: { 'if-match': etagOf(version) },
            }),
      );
    } catch (error) {
      if (await askAboutNewer(error)) return;
      const verb = isNew ? 'create' : 'update';
      setRefusal({
        message: messageOf(error, `Failed to ${verb} vignette. Please try again.`),
        details: error instanceof ApiError ? error.details : [],
      });
    } finally {
      setBusy(false);
    }
  }

  return {
    draft,
    setDraft,
    base: base.values,
    problems,
    busy,
    refusal,
    conflict,
    isNew,
    /** Version that another user saved during the edit, before this one is saved. */
    behind: isBehind && hasChanged ? vignette : undefined,
    blockedBy: blockedBy(draft, {
      base: isNew ? undefined : base.values,
      problems: problems.size,
    }),
    isUnsaved,
    /** Discards the input that was restored from an ended session; undefined when nothing was restored. */
    discardRestored: restored && (() => startFrom(blank, start)),
    submit: () => void oneAtATime(() => send(draft, base.version ?? 0)),
    review: ask,
    closeConflict: () => setConflict(undefined),
    reload: adopt,
    overwrite: ({ newer, drafts }: Conflict) =>
      void oneAtATime(() => send(mergedDraft(drafts), newer.version)),
  };
}
