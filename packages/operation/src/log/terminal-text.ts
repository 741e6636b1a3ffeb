/** Control characters, bidirectional marks, other invisible characters and line separators, but no line ends and tabs. */
const invisible = /[[\p{C}\p{Zl}\p{Zp}]--[\n\t]]/gv;

/**
 * A text as a terminal may show it: control characters, escape sequences and bidirectional marks are shown as their codes, as
 * in `\u{1b}`, because untrusted text must not control the terminal (OWASP ASVS 5.0, 16.4.1). Line ends and tabs are kept.
 */
export const terminalText = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replaceAll(invisible, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);

const jsonEscape = (unit: number): string => String.raw`\u${unit.toString(16).padStart(4, '0')}`;

/** Serialized JSON as a terminal may show it: the same characters have the escapes of JSON. Its value is unchanged. */
export const terminalJson = (json: string): string =>
  json.replaceAll(invisible, (character) =>
    Array.from({ length: character.length }, (_, n) => jsonEscape(character.charCodeAt(n))).join(''),
  );
