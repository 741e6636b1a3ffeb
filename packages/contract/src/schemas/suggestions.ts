import { reasonKinds } from '@riskboard/domain';
import { mostSuggestions } from '../records.ts';
import { Id } from './common.ts';
import { z } from 'zod';

/** Why a vulnerability or threat may concern an asset. */
const Reason = z.object({
  kind: z.enum(reasonKinds),
  text: z.string().describe('In plain English.'),
  quote: z.string().describe('The text that matched, as it is written in the record or the asset.'),
});

/** A record that is not related yet, with the reasons to relate it, strongest first. */
export const Suggestion = z
  .object({
    _id: Id,
    name: z.string(),
    subtitle: z.string().describe('CVE, CAPEC or ATT&CK id of a record, project of an asset; may be empty.'),
    score: z
      .number()
      .nullable()
      .describe(
        'CVSS or severity of a vulnerability (0-10), risk level of a threat (0-100); null: unknown, or an asset.',
      ),
    reasons: z.array(Reason).min(1),
  })
  .meta({ id: 'Suggestion' });
export type Suggestion = z.infer<typeof Suggestion>;

/**
 * Best first: an identifier in the asset's text, then an affected product, the asset's name in the record, a term of
 * that name, a vendor, and last a relation to an asset that the asset depends on; a match in a name before one in a
 * description. Equal ones by score, then name. Withdrawn, inactive and fixed records are not suggested.
 */
export const Suggestions = z.array(Suggestion).max(mostSuggestions);
