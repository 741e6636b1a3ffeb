/** Look of a link inside text: underlined, because colour alone tells nothing (WCAG 1.4.1). */
export const linkStyle =
  'rounded text-accent-text underline decoration-1 underline-offset-3 hover:decoration-2';
