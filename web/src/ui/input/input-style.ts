/** Look of every control that takes a value. A button in it matches `:read-only`, and takes this alone. */
export const controlStyle =
  'h-9 w-full min-w-0 rounded border border-line-strong bg-surface px-3 text-base text-text transition-colors disabled:bg-hover disabled:text-muted data-invalid:border-danger';

/** Look of every control that takes text. */
export const inputStyle = `${controlStyle} read-only:bg-hover read-only:text-muted`;
