/** Look of every control that takes text. */
export const inputStyle =
  'h-9 w-full min-w-0 rounded border border-line-strong bg-surface px-3 text-base text-text transition-colors read-only:bg-hover read-only:text-muted disabled:bg-hover disabled:text-muted data-invalid:border-danger';
