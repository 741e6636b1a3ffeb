import { reasonKinds } from '@riskboard/domain';
import { mostSuggestions } from '../records.ts';
import { Id } from './common.ts';
import { z } from 'zod';

/** Why a vulnerability or threat may concern an asset. */
const Reason = z.object({
  kind: z.enum(reasonKinds),
  /** In plain English. */
  text: z.string(),
  /** The text that matched, as it is written in the record or the asset. */
  quote: z.string(),
});

/** A record that is not related yet, with the reasons to relate it, strongest first. */
export const Suggestion = z
  .object({
    _id: Id,
    name: z.string(),
    /** CVE, CAPEC or ATT&CK id of a record, project of an asset; may be empty. */
    subtitle: z.string(),
    /** CVSS or severity of a vulnerability (0-10), risk level of a threat (0-100); null: unknown, or an asset. */
    score: z.number().nullable(),
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
