import { vignettes } from '@riskboard/contract/schemas';
import type { FastifyInstance } from 'fastify';
import { Failure } from '../lib/http/failure.ts';
import { serve } from '../lib/http/serve.ts';

const notBuilt = (): never => {
  throw new Failure('not_found');
};

export function vignetteRoutes(app: FastifyInstance): void {
  serve(
    app,
    { tag: 'vignettes', table: vignettes },
    {
      list: notBuilt,
      facets: notBuilt,
      export: notBuilt,
      upload: notBuilt,
      create: notBuilt,
      addStarters: notBuilt,
      get: notBuilt,
      version: notBuilt,
      update: notBuilt,
      delete: notBuilt,
      download: notBuilt,
      preview: notBuilt,
    },
  );
}
