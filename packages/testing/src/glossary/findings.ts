import { type Comment, parseSync } from 'oxc-parser';
import { exceptions, type Phrase, phrases, textPhrases, words } from './glossary.ts';

/** A word or phrase that glossary.ts forbids, and where it was found. */
export interface Finding {
  file: string;
  line: number;
  /** The identifier, file name or phrase. */
  found: string;
  /** What to write, or why it is refused. */
  instead: string;
}

/** Where string literals are read by a person: pages, mails, messages of the api, labels of the contract. */
const textFiles =
  /^(?:web|api|worker|packages\/(?:contract|domain|cvss|embedded))\/src\/(?!.*(?:\.test\.tsx?$|\/testing\/))/u;

const testFiles = /\.test\.tsx?$/u;

const alternatives = Object.keys(words).join('|');
const capitalized = Object.keys(words)
  .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  .join('|');
/** A cheap look before parsing: parsing every file would take seconds. */
const candidates = [
  new RegExp(`(?<![A-Za-z])(?:${alternatives})(?![a-z])|(?:${capitalized})(?![a-z])`, 'u'),
  ...textPhrases.map(({ pattern }) => new RegExp(pattern.source.replaceAll(/[$^]/gu, ''), pattern.flags)),
];

/** `byHandOf`, `by-hand`, `BY_HAND` as lower-case words. */
const wordsOf = (name: string): string[] =>
  name.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/u).map((word) => word.toLowerCase());

const isException = (file: string, name: string): boolean =>
  exceptions.some(({ files, names }) => files.test(file) && names.includes(name));

const forbiddenWordIn = (file: string, name: string): string | undefined =>
  isException(file, name) ? undefined : wordsOf(name).find((word) => Object.hasOwn(words, word));

interface Node {
  type: string;
  start: number;
  [key: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

function* childrenOf(node: Node): Generator<Node> {
  for (const value of Object.values(node)) {
    if (isNode(value)) yield value;
    else if (Array.isArray(value)) yield* value.filter(isNode);
  }
}

function* nodesBelow(node: Node): Generator<Node> {
  yield node;
  for (const child of childrenOf(node)) yield* nodesBelow(child);
}

const identifierTypes = new Set(['Identifier', 'JSXIdentifier', 'PrivateIdentifier']);

/** Names that other packages export: `Bell` of an icon set is not ours to rename. */
function foreignNames(nodes: readonly Node[]): Set<string> {
  const imports = nodes.filter(
    ({ type, source }) =>
      type === 'ImportDeclaration' && !/^(?:\.|@riskboard\/)/u.test((source as { value: string }).value),
  );
  return new Set(
    imports.flatMap((node) =>
      [...nodesBelow(node)].filter(({ type }) => type === 'Identifier').map(({ name }) => name as string),
    ),
  );
}

const textOf = ({ type, value }: Node): string | undefined => {
  if (type === 'JSXText' || type === 'Literal') return typeof value === 'string' ? value : undefined;
  if (type === 'TemplateElement') return (value as { raw: string }).raw;
  return undefined;
};

/** Quoted texts of SQL, such as the reason of a row, are read by people; the rest of a tagged template is code. */
const quotedTexts = (raw: string): string[] =>
  [...raw.matchAll(/'((?:[^']|'')* (?:[^']|'')*)'/gu)].map(([, text = '']) => text);

/** The parts of tagged templates. */
const quasisOfTags = (nodes: readonly Node[]): Set<unknown> =>
  new Set(
    nodes
      .filter(({ type }) => type === 'TaggedTemplateExpression')
      .flatMap(({ quasi }) => (quasi as { quasis: unknown[] }).quasis),
  );

const importSources = (nodes: readonly Node[]): Set<unknown> =>
  new Set(
    nodes.filter(({ type }) => /^(?:Import|Export)\w+Declaration$/u.test(type)).map(({ source }) => source),
  );

/** The first text of each row of `it.each`, which completes the title. */
const labelsOf = (nodes: readonly Node[]): unknown[] =>
  nodes
    .filter(({ type, callee }) => type === 'CallExpression' && isEach(callee as Node))
    .flatMap((call) => (call['arguments'] as Node[]).slice(0, 1))
    .filter(({ type }) => type === 'ArrayExpression')
    .flatMap(({ elements }) => elements as (Node | null)[])
    .map((row) => (row?.type === 'ArrayExpression' ? (row['elements'] as unknown[])[0] : row));

const isEach = ({ type, property }: Node): boolean =>
  type === 'MemberExpression' && (property as Node)['name'] === 'each';

/** Titles of tests and suites. */
const titlesOf = (nodes: readonly Node[]): Set<unknown> =>
  new Set(
    nodes
      .filter(({ type }) => type === 'CallExpression')
      .filter(({ callee }) => {
        const name = [...nodesBelow(callee as Node)].find(({ type }) => type === 'Identifier');
        return /^(?:it|test|describe)$/u.test(String(name?.name));
      })
      .map((call) => (call['arguments'] as unknown[])[0]),
  );

type Found = Omit<Finding, 'file' | 'line'> & { at: number };

const inText = (text: string, list: readonly Phrase[]): Omit<Found, 'at'>[] =>
  list.flatMap(({ pattern, instead }) => {
    const match = pattern.exec(text.trim());
    return match ? [{ found: match[0], instead }] : [];
  });

function inComments(comments: readonly Comment[]): Found[] {
  return comments.flatMap(({ value, start }) =>
    phrases.flatMap(({ pattern, instead }) => {
      const match = pattern.exec(value);
      return match ? [{ at: start + 2 + match.index, found: match[0], instead }] : [];
    }),
  );
}

function inNames(file: string, nodes: readonly Node[]): Found[] {
  const foreign = foreignNames(nodes);
  return nodes.flatMap(({ type, name, start }) => {
    if (!identifierTypes.has(type) || typeof name !== 'string' || foreign.has(name)) return [];
    const word = forbiddenWordIn(file, name);
    return word ? [{ at: start, found: name, instead: words[word] ?? '' }] : [];
  });
}

function inTexts(file: string, nodes: readonly Node[]): Found[] {
  const isTest = testFiles.test(file);
  if (!isTest && !textFiles.test(file)) return [];
  const tagged = quasisOfTags(nodes);
  const imports = importSources(nodes);
  const titles = isTest ? new Set([...titlesOf(nodes), ...labelsOf(nodes)]) : undefined;
  return nodes.flatMap((node) => {
    const text = textOf(node);
    if (text === undefined || imports.has(node)) return [];
    if (tagged.has(node))
      return isTest
        ? []
        : quotedTexts(text)
            .flatMap((quoted) => inText(quoted, textPhrases))
            .map((found) => ({ at: node.start, ...found }));
    if (titles && !titles.has(node)) return [];
    return inText(text, titles ? phrases : textPhrases).map((found) => ({ at: node.start, ...found }));
  });
}

/**
 * Forbidden words among the identifiers of a source file and in its name; forbidden phrases in its comments, the titles
 * of its tests and the texts that people read.
 * @param file path from the root of the repository, with forward slashes
 */
export function findingsIn(file: string, source: string): Finding[] {
  const inPath = forbiddenWordIn(file, file);
  const named = inPath ? [{ file, line: 1, found: file, instead: words[inPath] ?? '' }] : [];
  if (!candidates.some((pattern) => pattern.test(source))) return named;
  const { program, comments } = parseSync(file, source);
  const nodes = [...nodesBelow(program as unknown as Node)];
  const lineAt = (at: number): number => source.slice(0, at).split('\n').length;
  const found = [...inNames(file, nodes), ...inTexts(file, nodes), ...inComments(comments)];
  return [
    ...named,
    ...found
      .map(({ at, ...rest }) => ({ file, line: lineAt(at), ...rest }))
      .toSorted((a, b) => a.line - b.line),
  ];
}

const codeBlock = /^```.*?^```$/gmsu;
const codeSpan = /`[^`]*`/gu;

/** Forbidden phrases of a document in Markdown; code is skipped. */
export function findingsInDocument(file: string, text: string): Finding[] {
  const blank = (code: string): string => code.replaceAll(/[^\n]/gu, ' ');
  const lines = text.replaceAll(codeBlock, blank).replaceAll(codeSpan, blank).split('\n');
  return lines.flatMap((line, index) =>
    inText(line, phrases).map((found) => ({ file, line: index + 1, ...found })),
  );
}
