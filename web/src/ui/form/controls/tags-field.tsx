import { Field as Base } from '@base-ui/react/field';
import { X } from 'lucide-react';
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { focusPeer } from '../../../lib/browser/page-focus.ts';
import { Field } from '../../input/field.tsx';
import { useField } from '../use-field.ts';

interface TagsFieldProps {
  hint?: ReactNode;
  placeholder?: string | undefined;
  /** How tags are written; absent: as they are typed. */
  format?: keyof typeof formats | undefined;
}

/**
 * Rules for tags. `joined` keeps the parts of a tag together, CWE 79, also while it is typed; `normalize` writes 79, cwe79
 * and CWE-79 alike; tags that are not valid are marked.
 */
const formats = {
  cwe: {
    joined: (text: string) => text.replaceAll(/\bCWE\s+/giu, 'CWE-'),
    normalize: (text: string) => `CWE-${text.replace(/^CWE-?/iu, '')}`,
    isValid: (tag: string) => /^CWE-\d{1,6}$/u.test(tag),
  },
} as const;

const asTyped = (text: string) => text;
const anyFormat = { joined: asTyped, normalize: asTyped, isValid: () => true } as const;

/** Several tags. Comma, space, Enter and leaving the field add what was typed; Backspace removes the last tag. */
export function TagsField({ hint, placeholder, format }: TagsFieldProps) {
  const { joined, normalize, isValid } = format === undefined ? anyFormat : formats[format];
  const {
    id,
    name,
    label,
    required,
    value: tags,
    error,
    locked,
    set,
    leave,
    setPending,
  } = useField<string[]>();
  const [draft, setDraft] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const off = locked !== undefined;
  const isUnsaved = draft.trim() !== '';
  useEffect(() => setPending({ blockedBy: undefined, isUnsaved }), [setPending, isUnsaved]);

  function type(text: string): void {
    const typed = joined(text);
    if (/[,;\s]/u.test(typed)) add(typed);
    else setDraft(typed);
  }

  function add(text: string): void {
    const found = text.split(/[,;\s]+/u).filter((tag) => tag !== '');
    if (found.length > 0) set([...new Set([...tags, ...found.map(normalize)])]);
    setDraft('');
  }

  function onKeyDown(event: KeyboardEvent) {
    if (off) return;
    if (event.key === 'Enter' && draft !== '') {
      // Enter adds the tag instead of submitting the form.
      event.preventDefault();
      add(draft);
    }
    if (event.key === 'Backspace' && draft === '' && tags.length > 0) set(tags.slice(0, -1));
  }

  return (
    <Field label={label} hint={hint} error={error} required={required}>
      <div
        data-peers=""
        data-readonly={off ? '' : undefined}
        className="flex min-h-9 flex-wrap items-center gap-1 rounded border border-line-strong bg-surface px-1.5 py-1 transition-colors data-readonly:bg-hover data-readonly:text-muted focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-focus has-data-invalid:border-danger"
      >
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
              data-peer=""
              onClick={(event) => {
                set(tags.filter((one) => one !== tag));
                focusPeer(event.currentTarget, () => input.current?.focus());
              }}
              className="flex size-6 items-center justify-center rounded text-muted hover:text-text disabled:hidden"
            >
              <X aria-hidden size={12} />
            </button>
          </span>
        ))}
        <Base.Control
          ref={input}
          id={id}
          name={name}
          value={draft}
          onValueChange={type}
          onKeyDown={onKeyDown}
          onBlur={() => {
            add(draft);
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
