/** Look of a link inside text. */
export const linkStyle = 'rounded text-accent-text underline-offset-3 hover:underline';
