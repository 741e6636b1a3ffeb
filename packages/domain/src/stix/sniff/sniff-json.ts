import { cleanText } from '../clean-text.ts';
import { findJsonFault, positionIn } from '../json-fault.ts';
import { foreignJsonFormat, jsonRefusal, notStix, type Refusal } from './report-root.ts';
import { holdsObjects, isEnvelope, noListMessage } from '../version/json-version.ts';

export type Sniffed = { media: 'json' | 'xml' } | { refusal: Refusal };

interface RootMember {
  key: string;
  /** The value, when it is a string that ends within the head. */
  text?: string;
  /** First character of the value. */
  opens: string;
}

const string = /"(?:[^"\\]|\\.)*"/y;
const scalar = /[^\s,\]}]+/y;
const blank = /[\s,:]*/y;

function matchAt(pattern: RegExp, head: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(head)?.[0];
}

/** The text between quotes; as written when it has an invalid escape. */
function decoded(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted.slice(1, -1);
  }
}

/** Index after the object or list that starts at `at`; undefined when the head ends before it does. */
function endOf(head: string, at: number): number | undefined {
  let depth = 0;
  for (let index = at; index < head.length; index += 1) {
    const char = head[index];
    if (char === '"') {
      const text = matchAt(string, head, index);
      if (text === undefined) return undefined;
      index += text.length - 1;
    } else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') {
      depth -= 1;
      if (depth === 0) return index + 1;
    }
  }
  return undefined;
}

/** Whether the root list has an object, or no element at all: the answer of a feed without objects. */
function mayHoldObjects(list: string): boolean {
  let at = 1 + (matchAt(blank, list, 1)?.length ?? 0);
  if (list[at] === ']') return true;
  while (at < list.length && list[at] !== ']') {
    const opens = list[at];
    if (opens === '{') return true;
    const scalars = opens === '"' ? string : scalar;
    at = (opens === '[' ? endOf(list, at) : at + (matchAt(scalars, list, at)?.length ?? 1)) ?? list.length;
    at += matchAt(blank, list, at)?.length ?? 0;
  }
  return false;
}

/** The members of the root object within the head. Lenient: the full read checks the grammar. */
function* rootMembers(head: string): Generator<RootMember> {
  let at = 1;
  while (at < head.length) {
    at += matchAt(blank, head, at)?.length ?? 0;
    const quoted = matchAt(string, head, at);
    if (quoted === undefined) return;
    at += quoted.length;
    at += matchAt(blank, head, at)?.length ?? 0;
    const opens = head[at] ?? '';
    const key = decoded(quoted);
    if (opens === '"') {
      const text = matchAt(string, head, at);
      yield text === undefined ? { key, opens } : { key, opens, text: decoded(text) };
      at += text?.length ?? head.length;
    } else {
      yield { key, opens };
      const end =
        opens === '{' || opens === '[' ? endOf(head, at) : at + (matchAt(scalar, head, at)?.length ?? 1);
      at = end ?? head.length;
    }
  }
}

/** The refusal of a complete file that is not even JSON, with line and column. */
function malformed(text: string): Refusal | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch {
    const { offset, message } = findJsonFault(text);
    const { line, column } = positionIn(text, offset);
    return { code: 'malformed', message: `${message} (line ${line}, column ${column})` };
  }
}

/** Whether the members are of one STIX object; one with forbidden characters in its type or id fails when it is read. */
function isSingleObject(type: string | undefined, id: string | undefined): boolean {
  if (type === undefined || id === undefined) return false;
  return id.startsWith(`${type}--`) || cleanText(type) !== type || cleanText(id) !== id;
}

/** The refusal of a file that is one JSON string, number or other single value; undefined for other files. */
export function scalarRefusal(head: string, complete: boolean): Refusal | undefined {
  const isString = head.startsWith('"');
  // The end of a long string is not in the head.
  if (complete ? malformed(head) !== undefined : !isString) return undefined;
  return notStix(isString ? 'a single JSON string' : 'a single JSON value');
}

/** Classifies a JSON upload by its head; `complete`: the head is the whole file. */
export function sniffJson(head: string, complete: boolean): Sniffed {
  const start = head.trimStart();
  if (start.startsWith('[')) {
    if (!complete || mayHoldObjects(start)) return { media: 'json' };
    return { refusal: malformed(head) ?? notStix('a JSON list without objects') };
  }
  const members = new Map<string, RootMember>();
  for (const member of rootMembers(start)) members.set(member.key, member);
  const refusal = refusalOf(members, complete);
  if (refusal === undefined) return { media: 'json' };
  return { refusal: (complete ? malformed(head) : undefined) ?? refusal };
}

function refusalOf(members: ReadonlyMap<string, RootMember>, complete: boolean): Refusal | undefined {
  const type = members.get('type');
  const objects = members.get('objects')?.opens;
  // Without a type in the head, the type may follow.
  const isList = type === undefined ? complete : type.text !== undefined && holdsObjects(type.text);
  if (isList && objects !== undefined && objects !== '[' && objects !== '')
    return { code: 'malformed', message: `${noListMessage(objects)}.` };
  if (type?.text === 'bundle' || objects === '[') return undefined;
  if (isSingleObject(type?.text, members.get('id')?.text)) return undefined;
  const keys = new Set(members.keys());
  if (complete && isEnvelope(keys)) return undefined;
  const isCertain = complete || foreignJsonFormat(keys) !== undefined;
  return isCertain ? jsonRefusal(keys) : undefined;
}
