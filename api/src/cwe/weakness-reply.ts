import type { CweEntry } from '@riskboard/db';
import { cleanText } from '@riskboard/domain';
import { z } from 'zod';

/** External text: limited in length and cleaned for a text column. */
const text = (max: number) =>
  z
    .string()
    .max(max)
    .transform((value) => cleanText(value).trim());
const term = text(200)
  .nullish()
  .transform((value) => value ?? '');
const number = z.coerce.string().regex(/^\d{1,7}$/u);
const some = <T extends z.ZodType>(one: T) =>
  z
    .array(one)
    .max(500)
    .nullish()
    .transform((value) => value ?? []);

const Weakness = z.object({
  ID: number,
  Name: text(1000).pipe(z.string().min(1)),
  Abstraction: term,
  Structure: term,
  Status: term,
  Description: text(50_000),
  LikelihoodOfExploit: term,
  RelatedWeaknesses: some(z.object({ Nature: term, CweID: number })),
  CommonConsequences: some(
    z.object({
      Scope: some(text(200)),
      Impact: some(text(200)),
      Note: text(20_000)
        .nullish()
        .transform((value) => value ?? ''),
    }),
  ),
});

/** Response of MITRE's CWE REST API to GET /cwe/weakness/{id}; only the fields that Riskboard reads. */
const WeaknessReply = z.object({ Weaknesses: z.array(Weakness).max(10) });

/**
 * The weakness with this number in a response; undefined when the response has others.
 * @throws ZodError when the response has another shape
 */
export function weaknessIn(reply: unknown, id: number): CweEntry | undefined {
  const found = WeaknessReply.parse(reply).Weaknesses.find(({ ID }) => Number(ID) === id);
  if (found === undefined) return undefined;
  const { ID: _ID, LikelihoodOfExploit, RelatedWeaknesses, CommonConsequences, ...rest } = found;
  const relations = new Map(
    RelatedWeaknesses.map(({ CweID, Nature }) => [
      `${Nature} ${Number(CweID)}`,
      { ID: String(Number(CweID)), Nature },
    ]),
  );
  return {
    id,
    data: {
      ...rest,
      Likelihood: LikelihoodOfExploit,
      Weaknesses: [...relations.values()],
      Consequences: CommonConsequences,
    },
  };
}
