import { type Comment, parseSync } from 'oxc-parser';

/** A word or phrase that the glossary of the house rules forbids, and where it was found. */
export interface Finding {
  file: string;
  line: number;
  /** The identifier, file name or phrase. */
  found: string;
  /** What to write, or why it is refused. */
  instead: string;
}

/** Forbidden words of identifiers and file names, each with its replacement. */
const words: Readonly<Record<string, string>> = {
  arena: 'test harness',
  asked: 'requested, input, query',
  bell: 'queue message, enqueue, notify',
  bells: 'queue messages',
  bin: 'trash',
  circle: 'cycle',
  circles: 'cycles',
  deed: 'activity entry',
  deeds: 'activity entries',
  furnish: 'seed',
  gone: 'deleted, missing',
  gate: 'crash point, check',
  gates: 'crash points, checks',
  hand: 'manual, batch',
  hands: 'manual, batches',
  heal: 'restore',
  leash: 'exit with parent',
  letter: 'email template, email, character',
  letters: 'emails, characters',
  nobody: 'name the subject: no user, no caller',
  place: 'location',
  places: 'locations',
  ring: 'enqueue, notify',
  rings: 'enqueues',
  somebody: 'name the subject: a user, another member',
  standing: 'state, status',
  stands: 'is, status',
  tell: 'publish (events), report or show (a person)',
  tells: 'publishes, reports, shows',
  told: 'published, reported',
  turn: 'batch',
  turns: 'batches',
  whoever: 'name the subject: the caller, the owner',
  words: 'labels, messages, terms',
  workshop: 'test harness',
};

interface Exception {
  /** Files that it holds for. */
  files: RegExp;
  /** Whole identifiers or file names. */
  names: readonly string[];
  reason: string;
}

/** Standard names that contain a forbidden word. */
const exceptions: readonly Exception[] = [
  { files: /\.tsx$/u, names: ['circle'], reason: 'the SVG element' },
  { files: /^web\/src\/ui\/graph\//u, names: ['circle'], reason: 'the shape of a node' },
  { files: /^web\/src\/features\/overview\//u, names: ['rings'], reason: 'spec 9: risk category rings' },
  { files: /^packages\/db\/src\/migrate\//u, names: ['place'], reason: 'stored before migration 0010' },
];

interface Phrase {
  pattern: RegExp;
  instead: string;
}

/** Never plain, wherever they are written for a reader. */
const phrases: readonly Phrase[] = [
  {
    pattern: /\b(?:no|some|any|every)body(?:'s)?\b|\bwho(?:so)?ever(?:'s)?\b/iu,
    instead: 'name the subject: a user, no caller, the owner, all roles',
  },
  { pattern: /\bst(?:ands?|ood)\b|\bstanding\b/iu, instead: 'is, is written, is shown, is set' },
  { pattern: /\bhangs? (?:on|from)\b|\bhung (?:on|from)\b/iu, instead: 'child of, depends on' },
  { pattern: /\b(?:is|are) none\b/iu, instead: 'say what it is not' },
  {
    pattern: /\b(?:that|which) (?:is|are) no (?!longer\b|more\b)[a-z]+/iu,
    instead: 'that is not a list, that are not lists',
  },
  { pattern: /\bwhatever\b/iu, instead: 'any, regardless of' },
  { pattern: /\bany ?more\b/iu, instead: 'no longer' },
  { pattern: /\bunder way\b/iu, instead: 'active, running' },
  { pattern: /\bgo(?:es)? by\b/iu, instead: 'use, match' },
  { pattern: /\bspeaks? of\b/iu, instead: 'contain, name' },
  { pattern: /\bpass(?:ed|es)? over\b/iu, instead: 'ignore' },
  { pattern: /\bon (?:its|their) way\b/iu, instead: 'pending, sent' },
  { pattern: /\bas (?:many|much|long|often) as it takes\b/iu, instead: 'name the amount' },
  { pattern: /\b(?:deeds?|bells?|workshop|arena|leash|furnish\w*)\b/iu, instead: 'see the words above' },
  { pattern: /\btold\b|\btells?\b/iu, instead: 'publish, report, show, say which' },
  { pattern: /\b(?:brought|bring|brings) (?:it |them )?back\b/iu, instead: 'restore' },
  { pattern: /\b(?:take|takes|took) (?:the|its|their|his|her) place\b/iu, instead: 'replace' },
  { pattern: /\bby hand\b/iu, instead: 'manual, manually' },
  { pattern: /\b(?:in|by|of) turns?\b|\bturn by turn\b/iu, instead: 'one after the other, per batch' },
  { pattern: /\bbesides\b/iu, instead: 'and, also, in addition to' },
  {
    pattern: /\bails?\b|\bshall\b|\blest\b|\bthereof\b|\bwherein\b|\bno more than one word\b/iu,
    instead: 'plain present tense',
  },
  { pattern: /\bin the words of\b|\bwithout a word\b|\bin other words\b/iu, instead: 'say it directly' },
];

/** Archaic texts of the interface that are fine as words of code. */
const textPhrases: readonly Phrase[] = [
  ...phrases,
  { pattern: /^(?:Asked for|Took|Places?)$/u, instead: 'Requested, Duration, Location' },
  { pattern: /^at (?:least|most)$/iu, instead: 'Min, Max' },
  { pattern: /^go on\b/iu, instead: 'Continue' },
  { pattern: /\bmake token\b|\bopen now$/iu, instead: 'Create token, Current' },
  {
    pattern: /\bleaves? every list\b|\bthe way on\b/iu,
    instead: 'will be removed; found in; next',
  },
  { pattern: /\badds up\b/iu, instead: 'All objects accounted for' },
  { pattern: /\bin the bin\b/iu, instead: 'in the trash' },
];

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
