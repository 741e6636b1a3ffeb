import { ArrowLeft } from 'lucide-react';
import { lazy, Suspense, useId, type ReactNode } from 'react';
import { useSelected, useStore } from '../../lib/browser/store.ts';
import { Button } from '../button/button.tsx';
import { Notice } from '../feedback/notice.tsx';
import { PageHeader } from '../layout/page-header.tsx';
import { UnsavedGuard } from '../dialog/unsaved-guard.tsx';
import { ErrorSummary, type Problem } from './error-summary.tsx';
import { StandingProvider, type FormStore } from './form-context.ts';
import type { FormControl } from './use-record-form.ts';

// Comes when somebody else was faster.
const ConflictDialog = lazy(async () => ({
  default: (await import('./conflict-dialog.tsx')).ConflictDialog,
}));

interface FormPageProps {
  title: string;
  /** 'Back to Vulnerabilities'. */
  backLabel: string;
  submitLabel: string;
  control: FormControl;
  /** Of the form, whatever its fields. */
  store: Pick<FormStore, 'get' | 'subscribe'>;
  /** Leaves the form, by Back or Cancel; what was typed is asked for. */
  onLeave: () => void;
  /** `FormSection`s. */
  children: ReactNode;
}

/** A form as a page of the shell: Back, title, what is wrong, sections, Cancel and the one button that sends. */
export function FormPage({
  title,
  backLabel,
  submitLabel,
  control,
  store,
  onLeave,
  children,
}: FormPageProps) {
  const { standing, conflict, submit } = control;
  return (
    <StandingProvider value={standing}>
      <div className="mx-auto max-w-260">
        <Button
          variant="ghost"
          size="sm"
          icon={<ArrowLeft aria-hidden size={14} />}
          onClick={onLeave}
          className="mb-2 -ml-2"
        >
          {backLabel}
        </Button>
        <PageHeader title={title} />
        {standing.locked !== undefined && (
          <div className="mb-4">
            <Notice>{standing.locked}</Notice>
          </div>
        )}
        <Problems control={control} store={store} />
        <form
          aria-label={title}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
          className="rounded border bg-surface"
        >
          {children}
          <Footer submitLabel={submitLabel} control={control} store={store} onLeave={onLeave} />
        </form>
      </div>
      <UnsavedGuard when={control.isChanged} />
      {conflict !== undefined && (
        <Suspense>
          <ConflictDialog
            changedBy={conflict.changedBy}
            differences={conflict.differences}
            busy={control.busy}
            onClose={conflict.close}
            onReload={conflict.reload}
            onOverwrite={conflict.overwrite}
          />
        </Suspense>
      )}
    </StandingProvider>
  );
}

type PartProps = Pick<FormPageProps, 'control' | 'store'>;

function Problems({ control: { standing, message, summary }, store }: PartProps) {
  const { id, labels, problemOf } = standing;
  const values = useSelected(store, (state) => state.values) as Readonly<Record<string, unknown>>;
  const attempted = useStore(standing.attempted);
  const refused = useStore(standing.refused);
  const problems: Problem[] = Object.entries(labels).flatMap(([name, label]) => {
    const said = refused[name];
    const text =
      (attempted ? problemOf(name, values) : undefined) ??
      (said !== undefined && Object.is(said.value, values[name]) ? said.message : undefined);
    return text === undefined ? [] : [{ name, text: `${label}: ${text}` }];
  });
  if (message !== undefined) problems.unshift({ text: message });
  return <ErrorSummary form={id} problems={problems} element={summary} />;
}

function Footer({
  submitLabel,
  control: { standing, busy, blocked },
  store,
  onLeave,
}: PartProps & Pick<FormPageProps, 'submitLabel' | 'onLeave'>) {
  const id = useId();
  const unsent = useSelected(store, (state) => blocked(state.values));
  const reason = standing.locked ?? unsent;
  return (
    <footer className="sticky bottom-0 z-10 flex flex-wrap items-center justify-end gap-x-4 gap-y-2 rounded-b border-t bg-surface px-4 py-3 sm:px-6">
      <p id={id} className="mr-auto text-sm text-muted">
        {reason}
      </p>
      <div className="flex gap-2">
        <Button onClick={onLeave} disabled={busy}>
          Cancel
        </Button>
        <Button
          type="submit"
          variant="primary"
          busy={busy}
          disabled={reason !== undefined}
          aria-describedby={reason === undefined ? undefined : id}
        >
          {submitLabel}
        </Button>
      </div>
    </footer>
  );
}
