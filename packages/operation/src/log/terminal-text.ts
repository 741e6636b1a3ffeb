/**
 * A text as a terminal may show it: control characters, escape sequences and bidirectional marks are shown as their codes, as
 * in `\u{1b}`, because untrusted text must not control the terminal (OWASP ASVS 5.0, 16.4.1). Line ends and tabs are kept.
 */
export const terminalText = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replaceAll(
      /[[\p{C}\p{Zl}\p{Zp}]--[\n\t]]/gv,
      (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
    );
