import { cwss } from '@riskboard/contract/schemas';
import { parseCwssVector, scoreCwss } from '@riskboard/domain';
import type { FastifyInstance } from 'fastify';
import { Failure, invalidField } from '../lib/http/failure.ts';
import { serve } from '../lib/http/serve.ts';

const notBuilt = (): never => {
  throw new Failure('not_found');
};

/** Scores of CWSS vectors; nothing is stored. */
export function cwssRoutes(app: FastifyInstance): void {
  serve(
    app,
    { tag: 'cwss', table: cwss },
    {
      calculate: notBuilt,
      calculateMany: notBuilt,
      explanation: notBuilt,
      preview: notBuilt,
      setFactors: notBuilt,
      async score({ body }) {
        const read = parseCwssVector(body.vector);
        if (!read.ok) throw invalidField('vector', read.message);
        const { choices, vector, warnings } = read;
        return { ...scoreCwss(choices), vector, warnings: [...warnings] };
      },
    },
  );
}
