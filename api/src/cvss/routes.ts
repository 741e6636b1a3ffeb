import { cvss } from '@riskboard/contract/schemas';
import { scoreCvss } from '@riskboard/cvss';
import { parseCvssVector } from '@riskboard/domain';
import type { FastifyInstance } from 'fastify';
import { invalidField } from '../lib/http/failure.ts';
import { serve } from '../lib/http/serve.ts';

/** Scores of CVSS vectors; nothing is stored. */
export function cvssRoutes(app: FastifyInstance): void {
  serve(
    app,
    { tag: 'cvss', table: cvss },
    {
      async score({ body }) {
        const vector = parseCvssVector(body.vector);
        if (!vector.ok) throw invalidField('vector', vector.message);
        return scoreCvss(vector);
      },
    },
  );
}
