import type { OutgoingMailTable } from '@riskboard/db';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { requestMail } from '../testing/mail-fixtures.ts';
import { type HarnessDatabase, makeOrganization, openHarnessDatabase } from '../testing/test-harness.ts';
import { createMailLeases } from './outgoing-mail.ts';

type Kind = OutgoingMailTable['kind'];

let harness: HarnessDatabase;
let organizations: string[];
beforeAll(async () => {
  harness = await openHarnessDatabase();
});
afterAll(() => harness.close());
beforeEach(async () => {
  await harness.database.system.deleteFrom('outgoing_mail').execute();
  organizations = [];
  for (let n = 0; n < 3; n += 1) organizations.push(await makeOrganization(harness.database));
});

/** Requests mails that are due since `seconds`. */
async function request(kind: Kind, organization: number | null, { count = 1, seconds = 0 } = {}) {
  for (let n = 0; n < count; n += 1)
    await requestMail(harness.database, {
      kind,
      email: `${kind}${n}@example.org`,
      organization_id: organization === null ? null : organizations[organization],
      run_at: sql<Date>`now() - make_interval(secs => ${seconds})`,
    });
}

/** The next mails of a sender: kind and organization. */
async function lease(next: ReturnType<typeof createMailLeases>, count: number) {
  const leased: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const mail = await next();
    const organization = organizations.indexOf(mail?.organizationId ?? '');
    leased.push(mail ? `${mail.kind}${organization < 0 ? '' : ` ${organization}`}` : 'none');
  }
  return leased;
}
const leasesOf = () => createMailLeases(harness.database.system);

it('mails about accounts are leased before alerts, and alerts before reports, however long these have been due', async () => {
  await request('risk-report', 0, { count: 2, seconds: 3000 });
  await request('alerts', 0, { seconds: 2000 });
  await request('invitation', 0, { seconds: 1000 });
  for (const kind of ['password-reset', 'email-change', 'account-changed'] as const)
    await request(kind, null);
  const next = leasesOf();
  const first = await lease(next, 4);
  expect(first.toSorted()).toEqual(['account-changed', 'email-change', 'invitation 0', 'password-reset']);
  expect(await lease(next, 2)).toEqual(['alerts 0', 'risk-report 0']);
  await request('password-reset', null);
  expect(await lease(next, 3)).toEqual(['password-reset', 'risk-report 0', 'none']);
});

it('organizations are served in rotation, whichever requested first and most', async () => {
  await request('risk-report', 0, { count: 5, seconds: 1000 });
  await request('risk-report', 1, { count: 2 });
  await request('risk-report', 2, { count: 1 });
  const order = await lease(leasesOf(), 8);
  expect(order.map((mail) => mail.at(-1)).join('')).toBe('01201000');
});

it('the rotation of reports continues where it was after mails about accounts', async () => {
  for (const organization of [0, 1, 2]) await request('risk-report', organization, { count: 2 });
  const next = leasesOf();
  expect(await lease(next, 1)).toEqual(['risk-report 0']);
  await request('invitation', 2);
  expect(await lease(next, 4)).toEqual(['invitation 2', 'risk-report 1', 'risk-report 2', 'risk-report 0']);
});

it('thousands of invitations of one organization delay a password reset by one mail at most', async () => {
  await request('invitation', 0, { count: 20, seconds: 1000 });
  await request('invitation', 1, { count: 20, seconds: 1000 });
  const next = leasesOf();
  await lease(next, 5);
  await request('password-reset', null);
  expect(await lease(next, 3)).toContain('password-reset');
});

it('mails of one organization are leased in the order in which they are due, each by one of several senders', async () => {
  for (const seconds of [10, 30, 20, -3600]) await request('alerts', 0, { seconds });
  const due = await harness.database.system
    .selectFrom('outgoing_mail')
    .select('id')
    .where('run_at', '<=', sql<Date>`now()`)
    .orderBy('run_at')
    .execute();
  expect((await leasesOf()())?.id).toBe(due[0]?.id);
  const others = await Promise.all([leasesOf()(), leasesOf()(), leasesOf()()]);
  const ids = others.flatMap((mail) => (mail ? [mail.id] : []));
  expect(ids).toHaveLength(2);
  expect(new Set(ids)).toEqual(new Set([due[1]?.id, due[2]?.id]));
});
