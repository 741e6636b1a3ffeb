/** Style of a link inside text: underlined, because color alone is not enough (WCAG 1.4.1). */
export const linkStyle =
  'rounded text-accent-text underline decoration-1 underline-offset-3 hover:decoration-2';

/** Style of a link outside running text, where its position shows that it is a link. */
export const loneLinkStyle = 'rounded text-sm text-accent-text underline-offset-3 hover:underline';
