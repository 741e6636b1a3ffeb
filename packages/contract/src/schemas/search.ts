import { plainLine } from '@riskboard/domain';
import type { SchemaTable } from '../endpoint.ts';
import { searchNouns } from '../search.ts';
import { Id } from './common.ts';
import { z } from 'zod';

export const searchSchemas = {
  everywhere: {
    summary: 'Records by name or id (CVE, CWE, CAPEC, ATT&CK), grouped, best first',
    query: z.strictObject({
      q: z
        .string()
        .overwrite(plainLine)
        .trim()
        .min(1)
        .max(200)
        .describe('A text that a name or id contains, in any case.'),
    }),
    reply: {
      200: z.object({
        /** The group with the best match first. */
        groups: z.array(
          z.object({
            noun: z.enum(searchNouns),
            total: z.int().describe('At most 1,000 are counted.'),
            items: z.array(z.object({ _id: Id, title: z.string(), subtitle: z.string() })).max(6),
            /**
             * The records that the list's filter by the id in the text selects, at most 1,000 counted; absent when no
             * record has it.
             */
            byId: z
              .object({
                field: z.enum(['cveId', 'cwe', 'threatID']),
                values: z.array(z.string()),
                total: z.int(),
              })
              .optional(),
          }),
        ),
      }),
    },
  },
} satisfies SchemaTable;
