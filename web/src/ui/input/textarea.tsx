import { Field as Base } from '@base-ui/react/field';
import { cx } from 'class-variance-authority';
import { Field, type FieldProps } from './field.tsx';
import { textareaStyle } from './input-style.ts';
import { useReadOnly } from './read-only.ts';

interface TextareaProps extends Omit<FieldProps, 'required'> {
  value: string;
  onChange: (value: string) => void;
  /** Lines shown at first; it grows with its text. */
  rows?: number;
  maxLength?: number;
  readOnly?: boolean;
  placeholder?: string;
}

/** A labelled text input of several lines. */
export function Textarea({
  label,
  hint,
  error,
  aside,
  optional,
  rows = 3,
  readOnly,
  onChange,
  ...props
}: TextareaProps) {
  const isReadOnly = useReadOnly(readOnly);
  return (
    <Field label={label} hint={hint} error={error} aside={aside} optional={optional}>
      <Base.Control
        {...props}
        readOnly={isReadOnly}
        onValueChange={onChange}
        render={<textarea rows={rows} />}
        className={cx(textareaStyle, 'max-h-96 min-h-15')}
      />
    </Field>
  );
}
