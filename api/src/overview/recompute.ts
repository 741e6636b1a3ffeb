import type { overview } from '@riskboard/contract';
import { requestRecompute, withOrganization } from '@riskboard/db';
import type { Deps } from '../deps.ts';
import { acceptJob } from '../lib/accept-job.ts';
import type { Context } from '../lib/http/serve.ts';
import type { AfterCommit } from '../lib/publish.ts';

interface Services {
  deps: Deps;
  after: AfterCommit;
}

