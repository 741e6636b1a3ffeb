/** Style of all value controls. Buttons match `:read-only`, so they use only this style. */
export const controlStyle =
  'h-9 w-full min-w-0 rounded border border-line-strong bg-surface px-3 text-base text-text transition-colors disabled:bg-hover disabled:text-muted data-invalid:border-danger';

/** Style of all text controls. */
export const inputStyle = `${controlStyle} read-only:bg-hover read-only:text-muted`;

/** Style of text controls of several lines. They grow in height only: a long word must not widen the grid around them. */
export const textareaStyle = `${inputStyle} field-sizing-content contain-inline-size h-auto resize-y py-2`;
