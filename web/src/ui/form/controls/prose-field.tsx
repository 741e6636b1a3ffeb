import { Field as Base } from '@base-ui/react/field';
import { cx } from 'class-variance-authority';
import type { ReactNode } from 'react';
import { Field } from '../../input/field.tsx';
import { textareaStyle } from '../../input/input-style.ts';
import { useField } from '../use-field.ts';

interface ProseFieldProps {
  hint?: ReactNode;
  /** Lines shown at first; the field grows with its text and can be resized. */
  rows?: number | undefined;
}

/** Text of several lines, across both columns of its section. */
export function ProseField({ hint, rows = 3 }: ProseFieldProps) {
  const { id, name, label, required, value, error, locked, set, leave } = useField<string>();
  return (
    <div className="col-span-full">
      <Field label={label} hint={hint} error={error} required={required}>
        <Base.Control
          id={id}
          name={name}
          value={value}
          onValueChange={set}
          onBlur={leave}
          aria-required={required || undefined}
          readOnly={locked !== undefined}
          render={<textarea rows={rows} />}
          className={cx(textareaStyle, 'max-h-96 min-h-18')}
        />
      </Field>
    </div>
  );
}
