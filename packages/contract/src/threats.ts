import { z } from 'zod';
import { endpoints } from './endpoint.ts';
import { Id, listQuery, pageFields, Time } from './common.ts';

/** A threat as the lists show it. `riskLevel` 0-100, null when nobody assessed it. */
export const Threat = z
  .object({
    _id: Id,
    name: z.string(),
    description: z.string(),
    /** CAPEC or ATT&CK identifier; empty when the report gives none. */
    threatID: z.string(),
    /** STIX construct it came from (malware, attack-pattern, ...); empty when made by hand. */
    kind: z.string(),
    threatTypeId: z.int().nullable(),
    riskLevel: z.number().nullable(),
    sourceFile: z.string(),
    withdrawn: z.enum(['revoked', 'deprecated']).nullable(),
    createdAt: Time,
    updatedAt: Time,
  })
  .meta({ id: 'Threat' });
export type Threat = z.infer<typeof Threat>;

export const threats = endpoints({
  list: {
    method: 'GET',
    path: '/api/threats',
    access: 'viewer',
    summary: 'Threats of the organisation',
    query: listQuery(
      ['name', 'threatID', 'kind', 'riskLevel', 'sourceFile', 'createdAt', 'updatedAt'],
      '-createdAt',
    ).extend({ fileId: Id.optional() }),
    reply: { 200: z.object({ threats: z.array(Threat), ...pageFields }) },
  },
});
