import { cleanText, type CweKind } from '@riskboard/domain';
import { z } from 'zod';
import type { CatalogueContent, CweData, CweEntry } from './catalogue.ts';
import { CatalogueEntries } from './catalogue-entries.ts';

const tag = /<\/?[A-Za-z][A-Za-z0-9:]*(?:\s[^<>]*)?\/?>/gu;

/** A text without markup; its paragraphs are lines. */
const paragraphs = (value: string): string =>
  cleanText(value)
    .replaceAll(tag, '\n')
    .split(/\n\s*\n|\n(?=\s*[-•*]\s)/u)
    .map((line) => line.replaceAll(/\s+/gu, ' ').trim())
    .filter((line) => line !== '')
    .join('\n');

/** External text: limited in length and cleaned for a text column. */
const text = (max: number) =>
  z
    .string()
    .max(max)
    .transform((value) => cleanText(value).trim());
const optional = (max: number) =>
  text(max)
    .nullish()
    .transform((value) => value ?? '');
const term = optional(200);
const prose = optional(50_000).transform(paragraphs);
const number = z.coerce
  .string()
  .regex(/^0*[1-9]\d{0,6}$/u, 'A number is expected.')
  .transform((value) => String(Number(value)));
const some = <T extends z.ZodType>(one: T, most = 5000) =>
  z
    .array(one)
    .max(most)
    .nullish()
    .transform((value) => value ?? []);
/** A list of texts, or one text. */
const terms = z
  .union([z.array(text(200)).max(100), text(200).transform((one) => [one])])
  .nullish()
  .transform((value) => value ?? []);

/** MITRE's description of the API and its data name these fields differently. */
const renamed = { CWE_ID: 'CweID', View_ID: 'ViewID' } as const;
const named = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(
        Object.entries(value).map(([key, one]) => [renamed[key as keyof typeof renamed] ?? key, one]),
      )
    : value;

const relation = { CweID: number, ViewID: optional(20) };
const Related = z.preprocess(named, z.object({ Nature: term, ...relation }));
const Member = z.preprocess(named, z.object(relation));
const Mapping = z
  .object({ Usage: term, Rationale: prose, Comments: prose })
  .nullish()
  .transform((value) => value ?? { Usage: '', Rationale: '', Comments: '' });

const head = { ID: number, Name: text(1000).pipe(z.string().min(1)), Status: term, MappingNotes: Mapping };

/** Only the fields that Riskboard reads. */
const Weakness = z.object({
  ...head,
  Abstraction: term,
  Structure: term,
  Description: text(50_000),
  ExtendedDescription: prose,
  LikelihoodOfExploit: term,
  /** Of the compact catalogue, which has no mapping notes. */
  MappingUsage: term,
  RelatedWeaknesses: some(Related),
  CommonConsequences: some(
    z.object({
      Scope: terms,
      Impact: terms,
      Likelihood: terms,
      Note: optional(20_000),
    }),
    500,
  ),
  PotentialMitigations: some(
    z.object({
      Phase: terms,
      Strategy: term,
      Description: prose,
      Effectiveness: term,
      EffectivenessNotes: prose,
    }),
    500,
  ),
});

const Category = z.object({ ...head, Summary: prose, Relationships: some(Member), Members: some(Member) });
const View = z.object({ ...head, Objective: prose, Members: some(Member) });

type Relations = CweData['Weaknesses'];

/** Each relation once in each view. */
const distinct = (relations: Relations): Relations => [
  ...new Map(relations.map((one) => [`${one.Nature} ${one.ID} ${one.View}`, one])).values(),
];

const membersOf = (members: readonly { CweID: string; ViewID: string }[]): Relations =>
  distinct(members.map(({ CweID, ViewID }) => ({ ID: CweID, Nature: 'HasMember', View: ViewID })));

const nothing = {
  Structure: '',
  ExtendedDescription: '',
  Likelihood: '',
  Consequences: [],
  Mitigations: [],
};

const fromWeakness = (one: z.output<typeof Weakness>): CweEntry => ({
  id: Number(one.ID),
  kind: 'weakness',
  data: {
    Name: one.Name,
    Abstraction: one.Abstraction,
    Structure: one.Structure,
    Status: one.Status,
    Description: one.Description,
    ExtendedDescription: one.ExtendedDescription,
    Likelihood: one.LikelihoodOfExploit,
    Weaknesses: distinct(
      one.RelatedWeaknesses.map(({ CweID, Nature, ViewID }) => ({ ID: CweID, Nature, View: ViewID })),
    ),
    Consequences: one.CommonConsequences.map(({ Likelihood, ...consequence }) => ({
      ...consequence,
      Likelihood: Likelihood.join(', '),
    })),
    Mitigations: one.PotentialMitigations,
    Mapping:
      one.MappingNotes.Usage === '' ? { ...one.MappingNotes, Usage: one.MappingUsage } : one.MappingNotes,
  },
});

const fromGroup = (
  kind: Exclude<CweKind, 'weakness'>,
  one: z.output<typeof Category> | z.output<typeof View>,
): CweEntry => ({
  id: Number(one.ID),
  kind,
  data: {
    ...nothing,
    Name: one.Name,
    Abstraction: kind === 'category' ? 'Category' : 'View',
    Status: one.Status,
    Description: ('Summary' in one ? one.Summary : one.Objective).replaceAll('\n', ' '),
    Weaknesses: membersOf('Relationships' in one ? [...one.Relationships, ...one.Members] : one.Members),
    Mapping: one.MappingNotes,
  },
});

/** An entry as MITRE's CWE REST API replies with it, and as its dumps contain it, by the name of its list. */
export const restEntry = {
  Weaknesses: Weakness.transform(fromWeakness),
  Categories: Category.transform((one) => fromGroup('category', one)),
  Views: View.transform((one) => fromGroup('view', one)),
} as const satisfies Record<string, z.ZodType<CweEntry>>;

const RestEntries = z
  .object({
    Weaknesses: some(restEntry.Weaknesses),
    Categories: some(restEntry.Categories),
    Views: some(restEntry.Views),
  })
  .transform(({ Weaknesses, Categories, Views }): CweEntry[] => [...Weaknesses, ...Categories, ...Views]);

/**
 * The weakness with this number in a response to GET /cwe/weakness/{id}; undefined when the response has others.
 * @throws ZodError when the response has another shape
 */
export const weaknessIn = (reply: unknown, id: number): CweEntry | undefined =>
  z
    .object({ Weaknesses: z.array(Weakness).max(10) })
    .parse(reply)
    .Weaknesses.map(fromWeakness)
    .find((entry) => entry.id === id);

/** Version of MITRE's catalogue, in a response to GET /cwe/version. */
const Version = z.object({ ContentVersion: z.string().max(20), ContentDate: z.string().max(40).optional() });

/** Reads the responses of the REST API to requests for whole kinds of entries. */
export const restCatalogue = {
  /** @throws ZodError when the response has another shape */
  version: (reply: unknown) => Version.parse(reply),
  /** @throws ZodError when the response has another shape */
  entries: (reply: unknown): CweEntry[] => RestEntries.parse(reply),
  /** @throws CatalogueFault when the entries are no catalogue */
  complete: (
    { ContentVersion, ContentDate }: z.output<typeof Version>,
    entries: readonly CweEntry[],
  ): CatalogueContent => {
    const all = new CatalogueEntries();
    for (const entry of entries) all.add(entry);
    return all.complete({ version: ContentVersion, date: ContentDate?.slice(0, 10) });
  },
} as const;
