import { vignettes, type Vignette } from '@riskboard/contract';
import { useNavigate } from '@tanstack/react-router';
import { ArrowLeft, CircleAlert } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import { useIsOnPage } from '../../../lib/browser/use-is-on-page.ts';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { Button } from '../../../ui/button/button.tsx';
import { UnsavedGuard } from '../../../ui/dialog/unsaved-guard.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { RestoredNotice } from '../../../ui/form/restored-notice.tsx';
import { SubmitBar } from '../../../ui/form/submit-bar.tsx';
import { idlePart } from '../../../ui/layout/idle-part.tsx';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { staleText } from '../use-vignette-actions.ts';
import type { Draft } from './draft.ts';
import { ContextFields, IdentityFields } from './draft-fields.tsx';
import { PreviewCard } from './preview-card.tsx';
import { ScorecardEditor } from './scorecard-editor.tsx';
import { usePreview } from './use-preview.ts';
import { useVignetteForm } from './use-vignette-form.ts';

// With the form: a later version of Riskboard no longer has the file, and the input would have no dialog.
const { Part: VignetteConflict, useIdleLoad: useVignetteConflict } = idlePart(
  async () => (await import('./vignette-conflict.tsx')).VignetteConflict,
  null,
);

interface VignetteEditorProps {
  title: string;
  /** The vignette to edit as the server has it now; absent: a new one. */
  vignette?: Vignette;
  start: Draft;
  /** Another user deleted the vignette while it was edited. */
  isDeleted?: boolean;
  /** The vignette whose scores are the state before in the preview. */
  compared?: Pick<Vignette, '_id' | 'name'>;
}

/** The page that creates or edits a vignette, with a live preview of what its scorecard changes. */
export function VignetteEditor({ title, vignette, start, isDeleted = false, compared }: VignetteEditorProps) {
  const id = useId();
  const navigate = useNavigate();
  const isOnPage = useIsOnPage();
  useVignetteConflict();
  const locked = useRefusal(vignettes[vignette === undefined ? 'create' : 'update'].access);
  const openVignette = (of: string, { replace = false } = {}) =>
    void navigate({ to: '/dashboard/reports/vignettes/$id', params: { id: of }, replace });
  const form = useVignetteForm({
    vignette,
    start,
    isDeleted,
    // So that Back leads to the page before the form.
    onSaved: (saved) => isOnPage() && openVignette(saved, { replace: true }),
  });
  const { draft, setDraft, problems, conflict } = form;
  // What is entered while the form is being saved would be lost.
  const readOnly = locked ?? (form.busy ? 'The vignette is being saved.' : undefined);
  const preview = usePreview(draft.cells, {
    vignetteId: isDeleted ? undefined : compared?._id,
    isValid: problems.size === 0,
  });
  const isRated = draft.cells.some(({ text }) => text.trim() !== '');
  const leave = () =>
    vignette === undefined || isDeleted
      ? void navigate({ to: '/dashboard/reports/vignettes' })
      : openVignette(vignette._id);
  const idOfCell = (index: number) => `${id}-cell-${index}`;
  const change = (next: Partial<Draft>) => setDraft((now) => ({ ...now, ...next }));

  return (
    <>
      <Button
        variant="ghost"
        size="sm"
        icon={<ArrowLeft aria-hidden size={14} />}
        onClick={leave}
        className="mb-2 -ml-2"
      >
        {vignette === undefined ? 'Back to Vignettes' : 'Back to the Vignette'}
      </Button>
      <PageHeader title={title} />
      <div className="flex flex-col gap-3 not-empty:mb-4">
        {locked !== undefined && <Notice>{locked}</Notice>}
        {isDeleted && (
          <Notice tone="warning">
            Another user deleted this vignette. Saving creates it again as a new one.
          </Notice>
        )}
        {form.behind !== undefined && (
          <NewerNotice newer={form.behind} onReview={() => form.behind && form.review(form.behind)} />
        )}
        {form.refusal !== undefined && <RefusalSummary {...form.refusal} />}
      </div>
      <RestoredNotice onDiscard={form.discardRestored} />
      <form
        aria-label={title}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (locked === undefined && form.blockedBy === undefined) form.submit();
        }}
        className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-[minmax(0,1fr)_400px]"
      >
        <Card title="Vignette">
          <IdentityFields draft={draft} onChange={change} readOnly={readOnly !== undefined} />
        </Card>
        <Card title="Scorecard">
          <ScorecardEditor
            cells={draft.cells}
            onChange={(cells) => change({ cells })}
            problems={problems}
            locked={readOnly}
            idOf={idOfCell}
          />
        </Card>
        <div className="xl:sticky xl:top-18 xl:col-start-2 xl:row-span-4 xl:row-start-1 xl:max-h-[calc(100dvh-6rem)] xl:overflow-y-auto">
          <PreviewCard
            preview={preview}
            before={compared?.name}
            blockedBy={previewBlock(problems.size, isRated)}
          />
        </div>
        <Card title="Context">
          <ContextFields draft={draft} onChange={change} readOnly={readOnly !== undefined} />
        </Card>
        <SubmitBar
          reason={locked ?? form.blockedBy}
          note={form.isNew || vignette === undefined ? '' : savingText(vignette)}
          busy={form.busy}
          submitLabel={form.isNew ? 'Create' : 'Save'}
          onCancel={leave}
        />
      </form>
      <UnsavedGuard when={form.isUnsaved} search={['from', 'version']} />
      {conflict !== undefined && (
        <VignetteConflict
          conflict={conflict}
          busy={form.busy}
          onClose={form.closeConflict}
          onReload={() => form.reload(conflict.newer)}
          onOverwrite={() => form.overwrite(conflict)}
        />
      )}
    </>
  );
}

/** Why the preview shows no newer result. */
function previewBlock(problems: number, isRated: boolean): string | undefined {
  if (problems > 0) return 'Correct the marked cells to update the preview.';
  return isRated ? undefined : 'Rate a cell to see how the known vulnerabilities would move.';
}

/** What saving does. */
const savingText = ({ version, vulnerabilities }: Vignette): string =>
  `Saving makes version ${version + 1}. ${staleText(vulnerabilities)}`.trim();

function NewerNotice({ newer, onReview }: { newer: Vignette; onReview: () => void }) {
  const by = newer.versions[0]?.by ?? '';
  return (
    <Notice tone="warning">
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {by === '' ? 'Another user' : by} saved version {newer.version} while you were editing.
        <Button size="sm" onClick={onReview}>
          Review
        </Button>
      </span>
    </Notice>
  );
}

interface RefusalSummaryProps {
  message: string;
  details: readonly { readonly path: string; readonly message: string }[];
}

/** Why the server refused the vignette. It gets the focus; each submission removes it first. */
function RefusalSummary({ message, details }: RefusalSummaryProps) {
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <section
      ref={box}
      tabIndex={-1}
      role="alert"
      aria-label="There is a problem"
      className="scroll-mt-20 rounded border border-danger bg-danger-soft px-4 py-3 text-danger"
    >
      <p className="flex items-center gap-2 font-semibold">
        <CircleAlert aria-hidden size={16} className="shrink-0" />
        {message}
      </p>
      {details.length > 0 && (
        <ul className="mt-1 flex flex-col pl-6">
          {details.map(({ path, message: text }) => (
            <li key={`${path} ${text}`}>{path === '' || text.includes(path) ? text : `${path}: ${text}`}</li>
          ))}
        </ul>
      )}
    </section>
  );
}
