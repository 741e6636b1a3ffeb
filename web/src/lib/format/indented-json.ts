/** Characters of a part of the text. */
const partSize = 1024 * 1024;

const isSpace = (char: string | undefined): boolean =>
  char === ' ' || char === '\n' || char === '\r' || char === '\t';

/** Whether an odd number of backslashes precedes the character. */
function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text[first - 1] === '\\') first -= 1;
  return (at - first) % 2 === 1;
}

/** The end of the string that begins at `at`. A loop: a regular expression backtracks over long strings. */
function stringEnd(text: string, at: number): number {
  let quote = text.indexOf('"', at + 1);
  while (quote !== -1 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote === -1 ? text.length : quote + 1;
}

/** The end of the number, `true`, `false` or `null` that begins at `at`. */
function literalEnd(text: string, at: number): number {
  let end = at + 1;
  while (end < text.length && !isSpace(text[end]) && !',:{}[]"'.includes(text[end] as string)) end += 1;
  return end;
}

function tokenEnd(text: string, at: number): number {
  const char = text[at] as string;
  if (char === '"') return stringEnd(text, at);
  return ',:{}[]'.includes(char) ? at + 1 : literalEnd(text, at);
}

function spaceEnd(text: string, at: number): number {
  let end = at;
  while (isSpace(text[end])) end += 1;
  return end;
}

/** Where the value of a member of the object begins that a JSON text is; undefined without the member. */
function valueAt(text: string, name: string): number | undefined {
  const quoted = JSON.stringify(name);
  let depth = 0;
  let at = spaceEnd(text, 0);
  while (at < text.length) {
    const end = tokenEnd(text, at);
    const next = spaceEnd(text, end);
    const char = text[at];
    if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') depth -= 1;
    else if (depth === 1 && text[next] === ':' && text.slice(at, end) === quoted)
      return spaceEnd(text, next + 1);
    at = next;
  }
  return undefined;
}

/**
 * The value of a member of a JSON object, indented as `JSON.stringify` does. Numbers, strings and members stay as they are
 * in the text: `JSON.parse` rounds numbers of more than 16 digits, and drops all but the last of members with one name.
 * @returns the text in parts; without the member that of the whole object
 */
export function indentedMember(text: string, name: string): string[] {
  const parts: string[] = [];
  let part = '';
  let depth = 0;
  let at = valueAt(text, name) ?? spaceEnd(text, 0);
  const line = () => `\n${'  '.repeat(depth)}`;
  do {
    const end = tokenEnd(text, at);
    const next = spaceEnd(text, end);
    const token = text.slice(at, end);
    at = next;
    const isOpening = token === '{' || token === '[';
    if (isOpening && (text[next] === '}' || text[next] === ']')) {
      part += token + text[next];
      at = spaceEnd(text, next + 1);
    } else if (isOpening) {
      depth += 1;
      part += token + line();
    } else if (token === '}' || token === ']') {
      depth -= 1;
      part += line() + token;
    } else if (token === ',') part += token + line();
    else part += token === ':' ? ': ' : token;
    if (part.length < partSize) continue;
    parts.push(part);
    part = '';
  } while (depth > 0 && at < text.length);
  return [...parts, part];
}
