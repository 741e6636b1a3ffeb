/** Forbidden words of identifiers and file names, each with its replacement. */
export const words: Readonly<Record<string, string>> = {
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
  organisation: 'organization',
  organisations: 'organizations',
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
export const exceptions: readonly Exception[] = [
  { files: /\.tsx$/u, names: ['circle'], reason: 'the SVG element' },
  { files: /^web\/src\/ui\/graph\//u, names: ['circle'], reason: 'the shape of a node' },
  { files: /^web\/src\/features\/overview\//u, names: ['rings'], reason: 'spec 9: risk category rings' },
  { files: /^packages\/db\/src\/migrate\//u, names: ['place'], reason: 'stored before migration 0010' },
  {
    files: /^packages\/journey\/src\/faults\/upgrade\//u,
    names: ['place'],
    reason: 'stored before migration 0010',
  },
];

export interface Phrase {
  pattern: RegExp;
  instead: string;
}

/** One spelling of each word, that of the contract and of the interface. */
const spellings: readonly Phrase[] = [
  { pattern: /\be-mail(?:s|ed)?\b/iu, instead: 'email' },
  { pattern: /\bcancel(?:ed|ing)\b/iu, instead: 'cancelled, as the state of a job' },
  { pattern: /\bneighbour(?:s|ing)?\b/iu, instead: 'neighbor' },
];

/** Never plain, wherever they are written for a reader. */
export const phrases: readonly Phrase[] = [
  ...spellings,
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
export const textPhrases: readonly Phrase[] = [
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
