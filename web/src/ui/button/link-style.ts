/** Look of a link inside text: underlined, because colour alone tells nothing (WCAG 1.4.1). */
export const linkStyle =
  'rounded text-accent-text underline decoration-1 underline-offset-3 hover:decoration-2';

/** Look of a link that stands by itself, where its place tells what it is. */
export const loneLinkStyle = 'rounded text-sm text-accent-text underline-offset-3 hover:underline';
