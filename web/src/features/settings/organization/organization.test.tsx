import { jobs, members, organizations } from '@riskboard/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, test, vi } from 'vitest';
import { answerSignedOut } from '../../../testing/dashboard.ts';
import { jobOf } from '../../../testing/rows.ts';
import { fakeApi } from '../../../testing/fake-api.ts';
import { answer, counted, refusal, server, useServer } from '../../../testing/server.ts';
import { memberOf, organizationOf, selfOf, settingsApi } from '../../../testing/settings.ts';
import { visit } from '../../../testing/render-app.tsx';

useServer();

test('an owner renames the organization', async () => {
  const api = settingsApi();
  server.use(
    answer(organizations.update, async ({ request }) => {
      expect(await request.json()).toEqual({ name: 'Southwind' });
      api.organization = { ...api.organization, name: 'Southwind' };
      api.user = { ...api.user, organization: 'Southwind' };
      return api.organization;
    }),
  );
  const { user } = visit('/dashboard/settings/organization');
  const name = await screen.findByRole('textbox', { name: 'Name' });
  await user.clear(name);
  await user.type(name, 'Southwind{Enter}');
  await screen.findByText('Organization saved');
  // The top bar shows it too.
  await screen.findByText('Southwind');
});

test('an analyst can view and leave the organization; other controls are disabled with the reason', async () => {
  settingsApi({ role: 'analyst' });
  const update = counted(organizations.update, () => refusal('role_too_low'));
  const list = counted(members.list, () => refusal('role_too_low'));
  const { user } = visit('/dashboard/settings/organization');
  const name = await screen.findByRole('textbox', { name: 'Name' });
  await user.type(name, 'X{Enter}');
  expect((name as HTMLInputElement).value).toBe('Northwind Energy');
  expect(screen.getAllByText('Requires the owner role. You are an analyst.').length).toBeGreaterThan(1);
  const rule = screen.getByRole('switch', { name: 'Require a second factor' });
  expect(rule.getAttribute('aria-disabled')).toBe('true');
  await user.click(rule);
  expect(rule.getAttribute('aria-checked')).toBe('false');
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(screen.getByRole('button', { name: 'Delete organization' }).getAttribute('aria-disabled')).toBe(
    'true',
  );
  expect(screen.getByRole('button', { name: 'Leave organization' }).getAttribute('aria-disabled')).not.toBe(
    'true',
  );
  expect(update.times).toBe(0);
  expect(list.times).toBe(0);
});

describe('the rule that requires a second factor', () => {
  it('shows the number of affected members before it is switched on', async () => {
    const api = settingsApi({ secondFactor: true });
    api.members = [selfOf(api.user), memberOf(), memberOf({ email: 'cleo@example.org' })];
    server.use(
      answer(organizations.update, () => {
        api.organization = { ...api.organization, requireSecondFactor: true };
        return api.organization;
      }),
    );
    const { user } = visit('/dashboard/settings/organization');
    const rule = await screen.findByRole('switch', { name: 'Require a second factor' });
    await user.click(rule);
    const question = await screen.findByRole('alertdialog', {
      name: 'Require a second factor for all members?',
    });
    within(question).getByText(/2 members without one must set one up/u);
    expect(rule.getAttribute('aria-checked')).toBe('false');
    await user.click(within(question).getByRole('button', { name: 'Require second factor' }));
    await screen.findByText('Second factor now required');
    await waitFor(() => expect(rule.getAttribute('aria-checked')).toBe('true'));
  });

  it('is switched off with the password and a code', async () => {
    const api = settingsApi({ secondFactor: true });
    api.organization = organizationOf({ requireSecondFactor: true });
    const sent = vi.fn<(body: unknown) => void>();
    server.use(
      answer(organizations.update, async ({ request }) => {
        const body = (await request.json()) as { password: string };
        if (body.password !== 'right') return refusal('wrong_password');
        sent(body);
        api.organization = { ...api.organization, requireSecondFactor: false };
        return api.organization;
      }),
    );
    const { user } = visit('/dashboard/settings/organization');
    const rule = await screen.findByRole('switch', { name: 'Require a second factor' });
    await user.click(rule);
    const dialog = within(await screen.findByRole('dialog', { name: 'Stop requiring a second factor?' }));
    await user.type(dialog.getByLabelText('Authenticator code'), '123456');
    await user.type(dialog.getByLabelText('Your password'), 'wrong');
    await user.click(dialog.getByRole('button', { name: 'Stop requiring it' }));
    await dialog.findByText('Incorrect password.');
    expect(rule.getAttribute('aria-checked')).toBe('true');
    await user.clear(dialog.getByLabelText('Your password'));
    await user.type(dialog.getByLabelText('Your password'), 'right');
    await user.click(dialog.getByRole('button', { name: 'Stop requiring it' }));
    await screen.findByText('Second factor no longer required');
    await waitFor(() => expect(rule.getAttribute('aria-checked')).toBe('false'));
    expect(sent).toHaveBeenCalledExactlyOnceWith({
      requireSecondFactor: false,
      password: 'right',
      code: '123456',
    });
  });

  it('is disabled for an owner without a second factor', async () => {
    settingsApi({ secondFactor: false });
    visit('/dashboard/settings/organization');
    const rule = await screen.findByRole('switch', { name: 'Require a second factor' });
    expect(rule.getAttribute('aria-disabled')).toBe('true');
    screen.getByText('Set up your own second factor first, under Security.');
  });
});

describe('the rule that recalculates stale CWSS scores', () => {
  const name = 'Recalculate stale CWSS scores automatically';

  it('is switched on and off by an owner and says what it does', async () => {
    const api = settingsApi();
    const sent: unknown[] = [];
    server.use(
      answer(organizations.update, async ({ request }) => {
        const body = (await request.json()) as object;
        sent.push(body);
        api.organization = { ...api.organization, ...body };
        return api.organization;
      }),
    );
    const { user } = visit('/dashboard/settings/organization');
    const rule = await screen.findByRole('switch', { name });
    screen.getByText(/a background job then calculates it again with the same vignette/u);
    await user.click(rule);
    await screen.findByText('Stale scores are now recalculated automatically');
    await waitFor(() => expect(rule.getAttribute('aria-checked')).toBe('true'));
    await user.click(rule);
    await screen.findByText('Stale scores are no longer recalculated automatically');
    expect(sent).toEqual([{ autoRecalculateCwss: true }, { autoRecalculateCwss: false }]);
    expect(screen.getByRole('link', { name: 'Show stale scores' }).getAttribute('href')).toContain(
      'cwssState=stale',
    );
  });

  it('stays off and shows the reason when the server refuses', async () => {
    settingsApi();
    server.use(answer(organizations.update, () => refusal('unavailable', 'The database rests.')));
    const { user } = visit('/dashboard/settings/organization');
    const rule = await screen.findByRole('switch', { name });
    await user.click(rule);
    await screen.findByText('Failed to change the rule');
    screen.getByText('The database rests.');
    expect(rule.getAttribute('aria-checked')).toBe('false');
  });

  it('is disabled for analysts, with the reason', async () => {
    settingsApi({ role: 'analyst' });
    visit('/dashboard/settings/organization');
    const rule = await screen.findByRole('switch', { name });
    await waitFor(() => expect(rule.getAttribute('aria-disabled')).toBe('true'));
  });
});

describe('leaving the organization', () => {
  it('asks for the password, warns that the account is deleted, and opens the login page', async () => {
    settingsApi({ role: 'viewer' });
    const sent = vi.fn<(body: unknown) => void>();
    server.use(
      answer(organizations.leave, async ({ request }) => {
        sent(await request.json());
        answerSignedOut();
        return { success: true as const };
      }),
    );
    const { user, router } = visit('/dashboard/settings/organization');
    await user.click(await screen.findByRole('button', { name: 'Leave organization' }));
    const dialog = await screen.findByRole('dialog', { name: 'Leave Northwind Energy?' });
    await within(dialog).findByText(/your account will be deleted/u);
    await user.type(within(dialog).getByLabelText('Your password'), 'right{Enter}');
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
    expect(sent).toHaveBeenCalledExactlyOnceWith({ password: 'right' });
    await screen.findByText('You have left Northwind Energy.');
  });

  it('is disabled for the last owner', async () => {
    settingsApi();
    const { user } = visit('/dashboard/settings/organization');
    await screen.findByRole('button', { name: 'Leave organization' });
    const leave = () => screen.getByRole('button', { name: 'Leave organization' });
    await waitFor(() => expect(leave().getAttribute('aria-disabled')).toBe('true'));
    await user.hover(leave());
    await screen.findByText(/^An organization needs at least one owner/u);
  });
});

describe('deleting the organization', () => {
  it('asks for the name and the password, lists what is deleted, and shows the progress', async () => {
    const api = settingsApi();
    const live = fakeApi();
    const deletion = answerDeletion(api.organization.name);
    const { user } = visit('/dashboard/settings/organization');
    await user.click(await screen.findByRole('button', { name: 'Delete organization' }));
    const dialog = await screen.findByRole('dialog', { name: 'Delete Northwind Energy?' });
    await within(dialog).findByText('24 reports, 1,204 vulnerabilities and 1 threat');
    within(dialog).getByText(/The access of 2 members/u);
    const submit = within(dialog).getByRole('button', { name: 'Delete everything' });
    const name = within(dialog).getByLabelText(/^Type “Northwind Energy”/u);
    const password = within(dialog).getByLabelText('Your password');
    await user.type(name, 'northwind energy');
    await user.type(password, 'wrong');
    await user.click(submit);
    expect(submit.getAttribute('aria-disabled')).toBe('true');
    expect(deletion.sent).not.toHaveBeenCalled();
    await user.clear(name);
    await user.type(name, 'Northwind Energy');
    await user.click(submit);
    await within(dialog).findByText('Incorrect password.');
    await user.clear(password);
    await user.type(password, 'right');
    await user.click(submit);

    await screen.findByText(/all its data are being deleted/u);
    expect(deletion.sent).toHaveBeenLastCalledWith({ name: 'Northwind Energy', password: 'right' });
    live.publish({
      type: 'job.updated',
      job: jobOf({
        kind: 'organization.delete',
        state: 'running',
        fileId: null,
        fileName: null,
        version: 3,
        progress: { phase: 'deleting', done: 41, total: 100 },
      }),
    });
    const percent = await screen.findByText('41%');
    // It changes too often to be announced; the stage is.
    expect(percent.closest('[aria-live]')).toBeNull();
    expect(screen.getByText('Deleting').closest('[aria-live]')).not.toBeNull();
    screen.getByRole('progressbar', { name: 'Deletion of the organization' });
    expect(screen.queryByRole('button', { name: 'Delete organization' })).toBeNull();
  });

  it('shows why a deletion failed', async () => {
    const api = settingsApi();
    api.organization = organizationOf({ deletingSince: '2026-11-20T10:00:00.000Z' });
    const failed = jobOf({
      kind: 'organization.delete',
      state: 'failed',
      fileId: null,
      fileName: null,
      error: { code: 'unavailable', message: 'The database is unavailable.' },
    });
    server.use(
      answer(jobs.list, () => ({ jobs: [failed], total: 1, page: 1, pageSize: 1, nextCursor: null })),
    );
    visit('/dashboard/settings/organization');
    expect((await screen.findByText(/The database is unavailable\./u)).textContent).toContain(
      'Retry it from Jobs, or wait: it is tried again after 10 minutes.',
    );
  });
});

/** Answers the deletion of the organization; the correct password is 'right'. */
function answerDeletion(name: string) {
  const sent = vi.fn<(body: unknown) => void>();
  let organization = organizationOf({ name });
  server.use(
    answer(organizations.get, () => organization),
    answer(organizations.delete, async ({ request }) => {
      const body = (await request.json()) as { password: string };
      sent(body);
      if (body.password !== 'right') return refusal('wrong_password');
      organization = { ...organization, deletingSince: '2026-11-20T10:00:00.000Z' };
      return { jobId: organization._id, message: 'Deletion started' };
    }),
  );
  return { sent };
}
