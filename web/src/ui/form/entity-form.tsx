import { formatCount } from '@riskboard/domain';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import { ArrowLeft, CircleAlert } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useNamedPage } from '../../lib/browser/page-name.ts';
import { useSelected, useStore } from '../../lib/browser/store.ts';
import { pagesOf, type DetailOf, type Entity } from '../../lib/entity/entity.ts';
import { useIsOnPage } from '../../lib/browser/use-is-on-page.ts';
import type { FormDraft, FormValues } from '../../lib/entity/form-values.ts';
import { capitalized } from '../../lib/entity/messages.ts';
import { detailQuery } from '../../lib/entity/queries.ts';
import { useRefusal } from '../../lib/session/use-refusal.ts';
import { Button } from '../button/button.tsx';
import { UnsavedGuard } from '../dialog/unsaved-guard.tsx';
import { Notice } from '../feedback/notice.tsx';
import { idlePart } from '../layout/idle-part.tsx';
import { PageHeader } from '../layout/page-header.tsx';
import { RecordFailed, RecordLoading } from '../record/record-status.tsx';
import { FormSection } from './entity-field.tsx';
import { FormProvider } from './form-context.ts';
import { RestoredNotice } from './restored-notice.tsx';
import { SubmitBar } from './submit-bar.tsx';
import { controlId } from './use-field.ts';
import { useKeptFor } from './use-kept-draft.ts';
import { useRecordForm, type RecordForm } from './use-record-form.ts';

// With the form: a later version of Riskboard no longer has the file, and the input would have no dialog.
const { Part: ConflictDialog, useIdleLoad: useConflictDialog } = idlePart(
  async () => (await import('./conflict-dialog.tsx')).ConflictDialog,
  null,
);

interface EntityFormProps<E extends Entity> {
  entity: E;
  /** The record to edit; absent: a new record. */
  record?: DetailOf<E> | undefined;
  /** Values of a new record that are known beforehand, or before anything is entered. */
  initial?: FormValues;
  /** Parameters of the address that start the form over when they change. */
  search?: readonly string[];
  /** `FormSection`s; absent: all sections in the order of the field table. */
  children?: ReactNode;
}

/** The page that creates or edits a record. It starts over with a new record that the server refused. */
export function EntityForm<E extends Entity>(props: EntityFormProps<E>) {
  const isNew = props.record === undefined;
  const draft = useLocation({ select: ({ state }) => (isNew ? state.draft : undefined) });
  const [start, setStart] = useState({ draft, count: 0 });
  // While the page is left, its location no longer has the draft.
  if (draft !== undefined && draft !== start.draft) setStart({ draft, count: start.count + 1 });
  return <FormOfRecord key={start.count} {...props} draft={start.draft} />;
}

interface FormOfRecordProps<E extends Entity> extends EntityFormProps<E> {
  draft: FormDraft | undefined;
}

/** Back, title, problems, sections, Cancel and the button that submits. */
function FormOfRecord<E extends Entity>({
  entity,
  record,
  initial,
  search,
  draft,
  children,
}: FormOfRecordProps<E>) {
  const navigate = useNavigate();
  const router = useRouter();
  const keptFor = useKeptFor();
  const isOnPage = useIsOnPage();
  useConflictDialog();
  const returnTo = useLocation({ select: ({ state }) => state.returnTo });
  const [one, many] = [capitalized(entity.one), capitalized(entity.many)];
  const pages = pagesOf(entity.noun);
  const isNew = record === undefined;
  const title = isNew ? `Create New ${one}` : `Edit ${one}`;
  const openRecord = (id: string) => navigate({ to: pages.detail, params: { id } });
  const leave = () => void (isNew ? navigate({ to: pages.list }) : openRecord(record._id));
  const form = useRecordForm(entity, {
    record,
    initial,
    keptFor,
    locked: useRefusal(entity.calls[isNew ? 'create' : 'update'].access),
    draft,
    // Replaced, so that Back leads to the page before the form, not to the form of what is saved.
    async onSaved({ _id }) {
      if (isOnPage()) await navigate({ to: pages.detail, params: { id: _id }, replace: true });
    },
    async onSent() {
      await navigate({ to: returnTo ?? pages.list, replace: true });
      return !isOnPage();
    },
    onCreated: ({ _id }) => ({ label: 'View', onClick: () => void openRecord(_id) }),
    // The login leads back to the form instead of the list.
    onSignedOut: () =>
      void navigate({ to: '/login', search: { next: keptFor.path }, state: true, replace: true }),
    onRefused(refused) {
      const openForm = () =>
        void navigate({ to: pages.create, state: { draft: refused, ...(returnTo && { returnTo }) } });
      // A user who has gone on to other work decides when to come back.
      const isOnNextPage = router.state.location.pathname === (returnTo ?? pages.list);
      if (isOnNextPage) return openForm();
      return { label: 'Back to the form', onClick: openForm };
    },
  });
  const { state, conflict } = form;

  return (
    <FormProvider value={state}>
      <div className="mx-auto max-w-260">
        <Button
          variant="ghost"
          size="sm"
          icon={<ArrowLeft aria-hidden size={14} />}
          onClick={leave}
          className="mb-2 -ml-2"
        >
          {isNew ? `Back to ${many}` : `Back to ${one} Details`}
        </Button>
        <PageHeader title={title} />
        {state.locked !== undefined && (
          <div id={`${state.id}-locked`} className="mb-4">
            <Notice>{state.locked}</Notice>
          </div>
        )}
        <RestoredNotice onDiscard={form.discardRestored} />
        <ErrorSummary form={form} />
        <form
          aria-label={title}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            form.submit();
          }}
          className="rounded border bg-surface"
        >
          {/* Disabled for assistive technology; the controls are read-only, so that texts can be selected and copied. */}
          <fieldset
            aria-disabled={state.locked === undefined ? undefined : true}
            aria-describedby={state.locked === undefined ? undefined : `${state.id}-locked`}
            className="min-w-0"
          >
            {children ?? Object.keys(entity.sections).map((name) => <FormSection key={name} name={name} />)}
          </fieldset>
          <FormFooter form={form} submitLabel={isNew ? 'Create' : 'Update'} onCancel={leave} />
        </form>
      </div>
      <UnsavedGuard when={form.isChanged} {...(search && { search })} />
      {conflict !== undefined && <ConflictDialog entity={entity} conflict={conflict} busy={form.busy} />}
    </FormProvider>
  );
}

/** The problems that prevent submission; each links to its field. It gets the focus after a failed submit. */
function ErrorSummary({ form: { state, message, summary } }: { form: RecordForm }) {
  const { id, entity, entered, labelOf, problemOf } = state;
  const values = useSelected(entered, (now) => now.values);
  const attempted = useStore(state.attempted);
  const refused = useStore(state.refused);
  const pending = useStore(state.pending);
  const problems = Object.keys(entity.fields).flatMap((name) => {
    const refusal = refused[name];
    const text =
      (attempted ? (problemOf(name, values) ?? pending[name]?.blockedBy) : undefined) ??
      (refusal !== undefined && Object.is(refusal.value, values[name]) ? refusal.message : undefined);
    return text === undefined ? [] : [{ name, text: `${labelOf(name)}: ${text}` }];
  });
  const count = problems.length + (message === undefined ? 0 : 1);
  if (count === 0) return null;
  const title = count === 1 ? 'There is a problem' : `There are ${formatCount(count)} problems`;
  return (
    <section
      ref={summary}
      tabIndex={-1}
      aria-label={title}
      className="mb-4 scroll-mt-20 rounded border border-danger bg-danger-soft px-4 py-3"
    >
      <h2 className="flex items-center gap-2 font-semibold text-danger">
        <CircleAlert aria-hidden size={16} className="shrink-0" />
        {title}
      </h2>
      <ul className="mt-1 flex flex-col pl-6 text-danger">
        {message !== undefined && <li>{message}</li>}
        {problems.map(({ name, text }) => (
          <li key={name}>
            <a
              href={`#${controlId(id, name)}`}
              onClick={(event) => {
                event.preventDefault();
                document.getElementById(controlId(id, name))?.focus();
              }}
              className="inline-flex min-h-6 items-center underline underline-offset-3"
            >
              {text}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface FormFooterProps {
  form: RecordForm;
  submitLabel: string;
  onCancel: () => void;
}

function FormFooter({ form: { state, busy, blockedBy }, submitLabel, onCancel }: FormFooterProps) {
  const blocked = useSelected(state.entered, ({ values }) => blockedBy(values));
  return (
    <SubmitBar
      reason={state.locked ?? blocked}
      busy={busy}
      submitLabel={submitLabel}
      onCancel={onCancel}
      inCard
    />
  );
}

interface EditPageProps<E extends Entity> {
  entity: E;
  id: string;
  /** The entity's form. It starts over when the page leads to another record. */
  Form: (props: { record: DetailOf<E> }) => ReactNode;
}

/** Loads a record and shows its form. */
export function EditPage<E extends Entity>({ entity, id, Form }: EditPageProps<E>) {
  const query = useQuery(detailQuery<E>(entity, id));
  useNamedPage(query.data && `Edit ${query.data.name}`);
  if (query.data !== undefined) return <Form key={id} record={query.data} />;
  if (query.isPending) return <RecordLoading />;
  return <RecordFailed entity={entity} query={query} />;
}
