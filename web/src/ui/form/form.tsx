import { useEffect, useRef, type ReactNode, type RefObject } from 'react';
import { FormError } from '../input/form-error.tsx';
import { ReadOnlyProvider } from '../input/read-only.ts';
import type { Submission } from '../../lib/hooks/use-submit.ts';

interface FormProps {
  submission: Submission;
  onSubmit: () => void;
  /** For a submit button outside of the form. */
  id?: string;
  element?: RefObject<HTMLFormElement | null>;
  children: ReactNode;
}

/**
 * Fields with the form's message above them, read-only while the form is being sent. A refused submission moves the focus
 * to the first invalid field.
 */
export function Form({ submission, onSubmit, id, element, children }: FormProps) {
  const own = useRef<HTMLFormElement>(null);
  const form = element ?? own;
  const { failure } = submission;
  useEffect(() => {
    if (failure !== null) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [failure, form]);

  return (
    <form
      ref={form}
      id={id}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
      className="flex flex-col gap-4"
    >
      <FormError message={submission.message} />
      <ReadOnlyProvider value={submission.busy}>{children}</ReadOnlyProvider>
    </form>
  );
}
