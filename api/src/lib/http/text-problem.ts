/** Why a text is refused (contract, HTTP: a lone surrogate or NUL is 422); undefined for one that can be stored. */
export function textProblem(text: string): string | undefined {
  if (!text.isWellFormed()) return 'Text must be valid Unicode.';
  return text.includes('\0') ? 'Text must not contain NUL characters.' : undefined;
}
