import { accounts, closeCodes, reports } from '@riskboard/contract';
import { act, screen, waitFor } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { jobStore } from '../../lib/jobs/job-store.ts';
import { answerDashboard, answerSignedOut } from '../../testing/dashboard.ts';
import { FakeSocket, stubSockets } from '../../testing/fake-socket.ts';
import { renderApp, setupUser } from '../../testing/render-app.tsx';
import { jobOf, userOf } from '../../testing/rows.ts';
import { counted, refusal, useServer } from '../../testing/server.ts';

useServer();

beforeEach(() => {
  stubSockets();
  jobStore.clear();
});

const harbour = '0199f000-0000-7000-8000-0000000000b2';
const greeting = () => screen.findByRole('heading', { name: 'Hello, Ada' });

const socket = () =>
  waitFor(() => {
    const made = FakeSocket.opened.at(-1);
    if (made === undefined) throw new Error('No socket yet');
    return made;
  });

function answerSessionExpired() {
  counted(accounts.me, () => refusal('session_expired'));
  counted(accounts.refresh, () => refusal('session_expired'));
}

async function openMenu(user: UserEvent) {
  await user.click(await screen.findByRole('button', { name: /Hello, Ada/u }));
  return screen.findByRole('menu');
}

describe('end of the session', () => {
  test('while a page is open redirects to the login, with the reason, and back', async () => {
    const user = setupUser();
    answerDashboard();
    const { router } = renderApp('/dashboard?search=mail');
    await greeting();
    const made = await socket();
    made.open({ type: 'hello' }, { type: 'snapshot', jobs: [] });
    answerSessionExpired();
    made.drop(closeCodes.sessionEnded);
    expect(await screen.findByText('Your session has ended. Please log in again.')).toBeDefined();
    expect(router.state.location.href).toBe('/login?next=%2Fdashboard%3Fsearch%3Dmail');
    answerDashboard();
    counted(accounts.login, () => ({ user: userOf() }));
    await user.type(await screen.findByLabelText('Email'), 'ada@example.org');
    await user.type(screen.getByLabelText('Password'), 'correct horse battery{Enter}');
    await greeting();
    expect(router.state.location.href).toBe('/dashboard?search=mail');
  });

  test('says that the browser blocks cookies when it does', async () => {
    vi.spyOn(navigator, 'cookieEnabled', 'get').mockReturnValue(false);
    answerDashboard();
    renderApp('/dashboard');
    await greeting();
    answerSessionExpired();
    (await socket()).drop();
    const reason = 'Your browser blocks cookies. Riskboard needs them to keep you logged in.';
    expect(await screen.findByText(reason)).toBeDefined();
  });

  const accessEnded = 'You no longer have access to Quay. Ask an owner if this is unexpected.';

  test('by the removal of the member says in the open page that access ended', async () => {
    answerDashboard();
    const { router } = renderApp('/dashboard?search=mail');
    await greeting();
    const made = await socket();
    made.open({ type: 'hello' }, { type: 'snapshot', jobs: [] });
    counted(accounts.me, () => refusal('access_ended', accessEnded));
    const renewal = counted(accounts.refresh, () => refusal('session_expired'));
    made.drop(closeCodes.sessionEnded);
    expect(await screen.findByText(accessEnded)).toBeDefined();
    // The page of the lost organization is not opened after the next login.
    expect(router.state.location.href).toBe('/login');
    expect(renewal.times).toBe(0);
  });

  test.each(['/', '/dashboard', '/dashboard/threats'])(
    'by the removal of the member says at a reload of %s that access ended',
    async (address) => {
      counted(accounts.me, () => refusal('access_ended', accessEnded));
      const { router } = renderApp(address);
      expect(await screen.findByText(accessEnded)).toBeDefined();
      expect(router.state.location.href).toBe('/login');
    },
  );

  test('before a page is opened redirects to the login, with the reason', async () => {
    answerSessionExpired();
    renderApp('/dashboard');
    expect(await screen.findByText('Your session has ended. Please log in again.')).toBeDefined();
  });

  test('without an earlier session shows the login without a reason', async () => {
    counted(accounts.me, () => refusal('not_signed_in'));
    counted(accounts.refresh, () => refusal('not_signed_in'));
    renderApp('/dashboard');
    await screen.findByRole('button', { name: 'Log in' });
    expect(screen.queryByRole('status')).toBeNull();
  });

  test('after the deletion of the organization shows that, without a redirect back', async () => {
    answerDashboard();
    const { router } = renderApp('/dashboard');
    await greeting();
    const made = await socket();
    const deletion = jobOf({ kind: 'organization.delete', state: 'running', fileId: null, fileName: null });
    made.open({ type: 'hello' }, { type: 'snapshot', jobs: [deletion] });
    answerSessionExpired();
    made.drop(closeCodes.sessionEnded);
    expect(await screen.findByText('The organization has been deleted.')).toBeDefined();
    expect(router.state.location.href).toBe('/login');
  });

  test('after a failed deletion of the organization shows the usual reason', async () => {
    answerDashboard();
    renderApp('/dashboard');
    await greeting();
    const made = await socket();
    made.open({ type: 'hello' }, { type: 'snapshot', jobs: [] });
    made.receive({ type: 'job.updated', job: jobOf({ kind: 'organization.delete', state: 'failed' }) });
    answerSessionExpired();
    made.drop(closeCodes.sessionEnded);
    expect(await screen.findByText('Your session has ended. Please log in again.')).toBeDefined();
  });
});

describe('a missing second factor that is required', () => {
  const lacking = { secondFactorRequired: true, secondFactor: false };

  test.each(['/dashboard', '/dashboard/jobs', '/dashboard/settings/profile'])(
    'replaces %s by a notice, and opens no socket',
    async (address) => {
      answerDashboard({ user: lacking });
      renderApp(address);
      await screen.findByRole('heading', { name: 'Set up a second factor to continue' });
      expect(screen.getByText(/^Northwind Energy requires a second factor for all members/u)).toBeDefined();
      expect(screen.getAllByRole('heading', { level: 1 })).toHaveLength(1);
      expect(screen.getByRole('link', { name: 'Set up second factor' }).getAttribute('href')).toBe(
        '/dashboard/settings/security',
      );
      expect(screen.queryByRole('button', { name: /background jobs/iu })).toBeNull();
      expect(FakeSocket.opened).toEqual([]);
    },
  );

  test('still allows the user menu and the logout', async () => {
    const user = setupUser();
    answerDashboard({ user: lacking });
    counted(accounts.logout, () => {
      answerSignedOut();
      return { success: true as const };
    });
    renderApp('/dashboard');
    await screen.findByRole('heading', { name: 'Set up a second factor to continue' });
    await openMenu(user);
    await user.keyboard('{Escape}');
    await user.click(screen.getByRole('button', { name: 'Log out' }));
    expect(await screen.findByRole('button', { name: 'Log in' })).toBeDefined();
  });

  test('shows the notice when a call is refused for it, and the page when it is set up', async () => {
    const user = setupUser();
    answerDashboard();
    const { queryClient } = renderApp('/dashboard');
    await greeting();
    answerDashboard({ user: lacking });
    counted(reports.files, () => refusal('second_factor_required'));
    await user.click(screen.getByRole('link', { name: 'Files' }));
    await screen.findByRole('heading', { name: 'Set up a second factor to continue' });
    answerDashboard({ user: { ...lacking, secondFactor: true } });
    await act(() => queryClient.invalidateQueries({ queryKey: ['accounts'] }));
    expect(await screen.findByRole('heading', { name: 'All Uploaded Files' })).toBeDefined();
    expect(await screen.findByRole('row', { name: /report\.json/u })).toBeDefined();
  });
});

test('a call that is refused for a lost role disables the controls of that role', async () => {
  const user = setupUser();
  answerDashboard();
  counted(reports.deleteFile, () => refusal('role_too_low'));
  renderApp('/dashboard/reports');
  await user.click(await screen.findByRole('button', { name: 'Actions for report.json' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
  answerDashboard({ user: { role: 'viewer' } });
  await user.click(await screen.findByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  await user.click(await screen.findByRole('button', { name: 'Data Upload' }));
  const upload = await screen.findByRole('menuitem', { name: /^Upload STIX\/TAXII/u });
  await waitFor(() => expect(upload.getAttribute('aria-disabled')).toBe('true'));
  expect(upload.textContent).toContain('Requires the analyst role. You are a viewer.');
});

describe('user menu', () => {
  const answerTwoMemberships = () =>
    counted(accounts.memberships, () => ({
      memberships: [
        {
          organizationId: userOf().organizationId,
          organization: userOf().organization,
          role: 'owner' as const,
          current: true,
        },
        { organizationId: harbour, organization: '', role: 'viewer' as const, current: false },
      ],
    }));

  test('shows name, email address and role, and no switch for a single organization', async () => {
    const user = setupUser();
    answerDashboard();
    renderApp('/dashboard');
    const menu = await openMenu(user);
    for (const text of ['Ada Lovelace', 'ada@example.org', 'Northwind Energy · owner']) {
      expect(menu.textContent).toContain(text);
    }
    const settings = screen.getByRole('menuitem', { name: 'Settings' });
    expect(settings.getAttribute('href')).toBe('/dashboard/settings');
    expect(screen.queryByRole('menuitemradio')).toBeNull();
  });

  test('switches to another organization and drops the data of the previous one', async () => {
    const user = setupUser();
    answerDashboard({ files: 3 });
    answerTwoMemberships();
    const { router } = renderApp('/dashboard/reports');
    expect(await screen.findAllByRole('link', { name: 'report.json' })).toHaveLength(3);
    await openMenu(user);
    const current = await screen.findByRole('menuitemradio', { name: 'Northwind Energy' });
    expect(current.getAttribute('aria-checked')).toBe('true');
    const there = { organizationId: harbour, organization: '', role: 'viewer' as const };
    counted(accounts.switchOrganization, async ({ request }) => {
      expect(await request.json()).toEqual({ organizationId: harbour });
      return { user: userOf(there) };
    });
    answerDashboard({ user: there, files: 0 });
    await user.click(screen.getByRole('menuitemradio', { name: 'Organization not set' }));
    await greeting();
    expect(await screen.findByText('No reports yet')).toBeDefined();
    expect(router.state.location.pathname).toBe('/dashboard');
  });

  test('follows a switch of the organization in another tab', async () => {
    answerDashboard({ files: 3 });
    const { router } = renderApp('/dashboard/reports');
    expect(await screen.findAllByRole('link', { name: 'report.json' })).toHaveLength(3);
    const first = await socket();
    const theirs = jobOf({ state: 'succeeded' });
    first.open({ type: 'hello' }, { type: 'snapshot', jobs: [] }, { type: 'job.updated', job: theirs });
    expect(jobStore.find(theirs._id)).toEqual(theirs);
    answerDashboard({ user: { organizationId: harbour, organization: 'Harbour Authority' }, files: 0 });
    first.drop(closeCodes.sessionEnded);
    await waitFor(() => expect(FakeSocket.opened).toHaveLength(2));
    FakeSocket.opened[1]?.open({ type: 'hello' }, { type: 'snapshot', jobs: [] });
    expect(await screen.findByText('No reports yet')).toBeDefined();
    expect(screen.getAllByText('Harbour Authority')).not.toEqual([]);
    expect(router.state.location.pathname).toBe('/dashboard');
    const notice =
      'You switched to Harbour Authority in another tab. This tab showed Northwind Energy. What was open here was closed, and nothing of it was saved in Harbour Authority. Unsaved input of a form is restored when you open the form in Northwind Energy again.';
    expect(screen.getByText(notice)).toBeDefined();
    // The jobs are of the other organization: they are dropped, and a socket of this one has its jobs.
    expect(jobStore.find(theirs._id)).toBeUndefined();
    const ours = jobOf({ state: 'running' });
    FakeSocket.opened.at(-1)?.receive({ type: 'job.updated', job: ours });
    expect(jobStore.find(ours._id)).toEqual(ours);
  });

  test('an own switch shows no notice when the tab learns of the new session before the reply', async () => {
    const user = setupUser();
    answerDashboard();
    answerTwoMemberships();
    const { queryClient } = renderApp('/dashboard/reports');
    await openMenu(user);
    const there = { organizationId: harbour, organization: '', role: 'viewer' as const };
    const held = Promise.withResolvers<void>();
    counted(accounts.switchOrganization, async () => {
      await held.promise;
      return { user: userOf(there) };
    });
    answerDashboard({ user: there, files: 0 });
    await user.click(await screen.findByRole('menuitemradio', { name: 'Organization not set' }));
    await act(() => queryClient.refetchQueries({ queryKey: ['accounts', 'me'] }));
    await waitFor(() => expect(screen.queryByRole('button', { name: /Hello, Ada/u })).toBeNull());
    held.resolve();
    await greeting();
    expect(screen.queryByText(/in another tab/u)).toBeNull();
  });
});
