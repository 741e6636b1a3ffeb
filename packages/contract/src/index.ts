export * from './accounts.ts';
export * from './common.ts';
export * from './endpoint.ts';
export * from './error-reply.ts';
export * from './errors.ts';
export * from './events.ts';
export * from './health.ts';
export * from './jobs.ts';
export * from './reports.ts';
export * from './threats.ts';
export * from './vulnerabilities.ts';

import { accounts } from './accounts.ts';
import { health } from './health.ts';
import { jobs } from './jobs.ts';
import { reports } from './reports.ts';
import { threats } from './threats.ts';
import { vulnerabilities } from './vulnerabilities.ts';

/** Every endpoint of the product, by noun. Tests walk it. */
export const contract = { accounts, health, jobs, reports, threats, vulnerabilities } as const;
