import type { CweEntry } from '@riskboard/db';
import { cleanText } from '@riskboard/domain';
import { z } from 'zod';

/** A stranger's text: bounded, and such as a text column can hold. */
const text = (max: number) =>
  z
    .string()
    .max(max)
    .transform((value) => cleanText(value).trim());
const word = text(200)
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
  Abstraction: word,
  Structure: word,
  Status: word,
  Description: text(50_000),
  LikelihoodOfExploit: word,
  RelatedWeaknesses: some(z.object({ Nature: word, CweID: number })),
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

/** What MITRE's CWE REST API answers to GET /cwe/weakness/{id}, as far as the product reads it. */
const WeaknessReply = z.object({ Weaknesses: z.array(Weakness).max(10) });

/**
 * The weakness of this number in a reply; undefined when it speaks of others.
 * @throws ZodError when the reply is something else altogether
 */
export function weaknessIn(reply: unknown, id: number): CweEntry | undefined {
  const found = WeaknessReply.parse(reply).Weaknesses.find(({ ID }) => Number(ID) === id);
  if (found === undefined) return undefined;
  const { ID: _ID, LikelihoodOfExploit, RelatedWeaknesses, CommonConsequences, ...said } = found;
  const relations = new Map(
    RelatedWeaknesses.map(({ CweID, Nature }) => [
      `${Nature} ${Number(CweID)}`,
      { ID: String(Number(CweID)), Nature },
    ]),
  );
  return {
    id,
    data: {
      ...said,
      Likelihood: LikelihoodOfExploit,
      Weaknesses: [...relations.values()],
      Consequences: CommonConsequences,
    },
  };
}
