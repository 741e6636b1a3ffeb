import { z } from 'zod';
import { Id } from './common.ts';
import { endpoints } from './endpoint.ts';

export const searchNouns = ['vulnerabilities', 'threats', 'assets', 'projects', 'reports'] as const;

export const search = endpoints({
  everywhere: {
    method: 'GET',
    path: '/api/search',
    access: 'viewer',
    summary: 'Records by name or id (CVE, CWE, CAPEC, ATT&CK), grouped, best first',
    query: z.object({ q: z.string().trim().min(1).max(200) }),
    reply: {
      200: z.object({
        /** The one with what fits best first. */
        groups: z.array(
          z.object({
            noun: z.enum(searchNouns),
            /** At most 1,000 are counted. */
            total: z.int(),
            items: z.array(z.object({ _id: Id, title: z.string(), subtitle: z.string() })).max(6),
          }),
        ),
      }),
    },
  },
});
