import { Field as Base } from '@base-ui/react/field';
import { X } from 'lucide-react';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import { Field } from '../input/field.tsx';
import { useField } from './use-field.ts';

interface TagsFieldProps {
  hint?: ReactNode;
  placeholder?: string;
  /** A word as it is kept, such as CWE-79 for 79. */
  tidy: (text: string) => string;
  /** Words that are not accepted are marked. */
  isValid: (tag: string) => boolean;
}

/** Several words of one kind. Comma, space, Enter and leaving the field take what was typed; Backspace the last. */
export function TagsField({ hint, placeholder, tidy, isValid }: TagsFieldProps) {
  const { id, name, label, required, value: tags, error, locked, set, leave } = useField<string[]>();
  const [draft, setDraft] = useState('');
  const off = locked !== undefined;

  function take(text: string): void {
    const found = text.split(/[,;\s]+/u).filter((word) => word !== '');
    if (found.length > 0) set([...new Set([...tags, ...found.map(tidy)])]);
    setDraft('');
  }

  function onKeyDown(event: KeyboardEvent) {
    if (off) return;
    if (event.key === 'Enter' && draft !== '') {
      // What is typed becomes a tag; the form is sent by the next one.
      event.preventDefault();
      take(draft);
    }
    if (event.key === 'Backspace' && draft === '' && tags.length > 0) set(tags.slice(0, -1));
  }

  return (
    <Field label={label} hint={hint} error={error} required={required}>
      <div className="flex min-h-9 flex-wrap items-center gap-1 rounded border border-line-strong bg-surface px-1.5 py-1 transition-colors focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-focus has-data-invalid:border-danger">
        {tags.map((tag) => (
          <span
            key={tag}
            data-valid={isValid(tag)}
            className="inline-flex h-6 items-center gap-1 rounded bg-hover pl-2 text-sm tabular-nums data-[valid=false]:bg-danger-soft data-[valid=false]:text-danger"
          >
            {tag}
            <button
              type="button"
              aria-label={`Remove ${tag}`}
              disabled={off}
              onClick={() => set(tags.filter((one) => one !== tag))}
              className="flex size-6 items-center justify-center rounded text-muted hover:text-text disabled:hidden"
            >
              <X aria-hidden size={12} />
            </button>
          </span>
        ))}
        <Base.Control
          id={id}
          name={name}
          value={draft}
          onValueChange={(text) => (/[,;\s]/u.test(text) ? take(text) : setDraft(text))}
          onKeyDown={onKeyDown}
          onBlur={() => {
            take(draft);
            leave();
          }}
          placeholder={tags.length === 0 ? placeholder : undefined}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          readOnly={off}
          className="h-6 w-0 min-w-20 grow bg-transparent px-1.5 text-base outline-none"
        />
      </div>
    </Field>
  );
}
