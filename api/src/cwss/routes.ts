import { cwss } from '@riskboard/contract/schemas';
import { parseCwssVector, scoreCwss } from '@riskboard/domain';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { Failure, invalidField } from '../lib/http/failure.ts';
import { serve } from '../lib/http/serve.ts';
import { afterCommit } from '../lib/publish.ts';
import { calculateMany, calculateOne } from './calculate.ts';

const notBuilt = (): never => {
  throw new Failure('not_found');
};

/** Scores of CWSS vectors, and the CWSS scores of vulnerabilities. */
export function cwssRoutes(app: FastifyInstance, deps: Deps): void {
  const services = { deps, after: afterCommit(deps, app.log) };

  serve(
    app,
    { tag: 'cwss', table: cwss },
    {
      calculate: (context) => calculateOne(services, context),
      calculateMany: (context) => calculateMany(services, context),
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
