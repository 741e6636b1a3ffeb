export * from './accounts.ts';
export * from './activity.ts';
export * from './assets.ts';
export * from './common.ts';
export * from './cvss.ts';
export * from './cwe.ts';
export * from './email-change.ts';
export * from './endpoint.ts';
export * from './entities/asset.ts';
export * from './entities/entities.ts';
export * from './entities/field.ts';
export * from './entities/infer.ts';
export * from './entities/list-fields.ts';
export * from './entities/project.ts';
export * from './entities/threat.ts';
export * from './entities/vulnerability.ts';
export * from './error-reply.ts';
export * from './errors.ts';
export * from './etag.ts';
export * from './events.ts';
export * from './health.ts';
export * from './jobs.ts';
export * from './list.ts';
export * from './mail.ts';
export * from './members.ts';
export * from './organizations.ts';
export * from './passwords.ts';
export * from './projects.ts';
export * from './record-fields.ts';
export * from './records.ts';
export * from './reports.ts';
export * from './search.ts';
export * from './second-factor.ts';
export * from './sessions.ts';
export * from './threat-input.ts';
export * from './threats.ts';
export * from './tokens.ts';
export * from './views.ts';
export * from './vulnerabilities.ts';
export * from './vulnerability-input.ts';

import { accounts } from './accounts.ts';
import { activity } from './activity.ts';
import { assets } from './assets.ts';
import { cvss } from './cvss.ts';
import { cwe } from './cwe.ts';
import { emailChange } from './email-change.ts';
import { health } from './health.ts';
import { jobs } from './jobs.ts';
import { invitations, members } from './members.ts';
import { organizations } from './organizations.ts';
import { passwords } from './passwords.ts';
import { projects } from './projects.ts';
import { reports } from './reports.ts';
import { search } from './search.ts';
import { secondFactor } from './second-factor.ts';
import { sessions } from './sessions.ts';
import { threats } from './threats.ts';
import { tokens } from './tokens.ts';
import { views } from './views.ts';
import { vulnerabilities } from './vulnerabilities.ts';

/** Every endpoint of the product, by noun. Tests walk it. */
export const contract = {
  accounts,
  activity,
  assets,
  cvss,
  cwe,
  emailChange,
  health,
  invitations,
  jobs,
  members,
  organizations,
  passwords,
  projects,
  reports,
  search,
  secondFactor,
  sessions,
  threats,
  tokens,
  views,
  vulnerabilities,
} as const;
