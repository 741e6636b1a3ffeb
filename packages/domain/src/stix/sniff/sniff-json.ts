import { foreignJsonFormat, jsonRefusal, type Refusal } from './report-root.ts';

export type Sniffed = { media: 'json' | 'xml'; stixVersion: string | null } | { refusal: Refusal };

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
    const key = quoted.slice(1, -1);
    if (opens === '"') {
      const text = matchAt(string, head, at);
      yield text === undefined ? { key, opens } : { key, opens, text: text.slice(1, -1) };
      at += text?.length ?? head.length;
    } else {
      yield { key, opens };
      const end =
        opens === '{' || opens === '[' ? endOf(head, at) : at + (matchAt(scalar, head, at)?.length ?? 1);
      at = end ?? head.length;
    }
  }
}

const objectVersion = /"spec_version"\s*:\s*"(2\.\d)"/;

/** Classifies a JSON upload by its head; `complete`: the head is the whole file. */
export function sniffJson(head: string, complete: boolean): Sniffed {
  const stixVersion = objectVersion.exec(head)?.[1] ?? null;
  if (head.startsWith('[')) return { media: 'json', stixVersion };
  const members = new Map<string, RootMember>();
  for (const member of rootMembers(head)) members.set(member.key, member);
  const keys = new Set(members.keys());
  const accepted: Sniffed = { media: 'json', stixVersion: members.get('spec_version')?.text ?? stixVersion };
  const type = members.get('type')?.text;
  if (type === 'bundle' || members.get('objects')?.opens === '[') return accepted;
  if (type !== undefined && members.get('id')?.text?.startsWith(`${type}--`)) return accepted;
  if (complete && keys.size === 0) return accepted;
  const certain = complete || foreignJsonFormat(keys) !== undefined;
  return certain ? { refusal: jsonRefusal(keys) } : accepted;
}
