import { accounts, vulnerabilities } from '@riskboard/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { endSession } from '../../lib/session/session.ts';
import { fakeApi } from '../../testing/fake-api.ts';
import { vulnerabilityDetailOf } from '../../testing/records.ts';
import { fill, visit } from '../../testing/render-app.tsx';
import { userOf } from '../../testing/rows.ts';
import { answer, refusal, server, useServer } from '../../testing/server.ts';

useServer();
// Each step searches the whole page by role, which is slow on a busy machine.
vi.setConfig({ testTimeout: 20_000 });

const restored = 'Your unsaved changes were restored.';
const solution = () => screen.findByRole<HTMLInputElement>('textbox', { name: 'Solution' });
const button = (name: string | RegExp) => screen.getByRole('button', { name });

/** The edit form of a vulnerability, and an API whose session can end. */
function open(page: 'edit' | 'new' = 'edit') {
  fakeApi();
  const there = {
    record: vulnerabilityDetailOf({ name: 'Log4Shell', solution: 'Stored text.', version: 3 }),
    user: userOf(),
    isSignedIn: true,
  };
  const versions: (string | null)[] = [];
  const whenSignedIn = <Reply,>(reply: () => Reply) =>
    there.isSignedIn ? reply() : refusal('not_signed_in');
  server.use(
    answer(accounts.me, () => whenSignedIn(() => ({ user: there.user }))),
    answer(accounts.refresh, () => refusal('not_signed_in')),
    answer(accounts.memberships, () => ({ memberships: [] })),
    answer(accounts.logout, () => {
      there.isSignedIn = false;
      return { success: true as const };
    }),
    answer(accounts.login, () => {
      there.isSignedIn = true;
      return { user: there.user };
    }),
    answer(vulnerabilities.get, () => whenSignedIn(() => there.record)),
    answer(vulnerabilities.create, () => whenSignedIn(() => there.record)),
    answer(vulnerabilities.update, ({ request }) =>
      whenSignedIn(() => {
        versions.push(request.headers.get('if-match'));
        return refusal('stale_version', 'Grace Hopper changed this in the meantime.');
      }),
    ),
  );
  const address =
    page === 'new' ? '/dashboard/vulnerabilities/new' : `/dashboard/vulnerabilities/${there.record._id}/edit`;
  const app = visit(address);

  async function login(): Promise<void> {
    await app.user.type(await screen.findByLabelText('Password'), 'correct horse battery{Enter}');
  }

  /** Changes the solution and sends the form after the session has ended. */
  async function loseSession(): Promise<void> {
    await fill(app.user, await solution(), 'Typed text.');
    there.isSignedIn = false;
    await app.user.click(button('Update'));
    await screen.findByRole('button', { name: 'Log in' });
  }

  return { there, versions, address, login, loseSession, ...app };
}

it('restores the input of an ended session when the same account logs in again', async () => {
  const { loseSession, login, router, address } = open();
  await loseSession();
  expect(screen.getByText('Your session has ended. Please log in again.')).toBeDefined();
  expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('ada@example.org');
  // The login page gives the reason; a failed change would be a second one.
  expect(screen.queryByText(/Failed to update/u)).toBeNull();
  await login();
  await screen.findByText(restored);
  expect(router.state.location.pathname).toBe(address);
  expect((await solution()).value).toBe('Typed text.');
  expect(sessionStorage.getItem('riskboard.draft')).toBeNull();
});

it('discards the restored input on demand and shows the stored values', async () => {
  const { loseSession, login, user } = open();
  await loseSession();
  await login();
  await screen.findByText(restored);
  await user.click(button('Discard changes'));
  expect((await solution()).value).toBe('Stored text.');
  expect(screen.queryByText(restored)).toBeNull();
  expect(screen.getByText('Nothing has changed yet.')).toBeDefined();
  expect(document.activeElement).toBe(screen.getByRole('main'));
});

it('sends restored input with the version that the user saw, so that a newer one is a conflict', async () => {
  const { loseSession, login, user, there, versions } = open();
  await loseSession();
  there.record = vulnerabilityDetailOf({ ...there.record, solution: 'Newer text.', version: 4 });
  await login();
  await screen.findByText(restored);
  await user.click(button('Update'));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText(/Newer text\./u)).toBeDefined();
  expect(versions).toEqual(['"3"']);
});

it('keeps input also when another device ends the session while nothing is sent', async () => {
  const { login, user, there } = open();
  await fill(user, await solution(), 'Typed text.');
  there.isSignedIn = false;
  act(() => endSession());
  await login();
  await screen.findByText(restored);
  expect((await solution()).value).toBe('Typed text.');
});

it('keeps a new record whose session ended before it was created', async () => {
  const { login, user, there, router, address } = open('new');
  await fill(user, await screen.findByRole('textbox', { name: 'Name' }), 'Log4Shell');
  await fill(user, screen.getByRole('textbox', { name: 'Description' }), 'Remote code execution.');
  await fill(user, screen.getByRole('spinbutton', { name: 'Severity' }), '9.5');
  there.isSignedIn = false;
  await user.click(button('Create'));
  await login();
  await screen.findByText(restored);
  expect(router.state.location.pathname).toBe(address);
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('Log4Shell');
  expect(screen.queryByText(/Failed to create/u)).toBeNull();
});

it('keeps nothing when nothing was changed', async () => {
  const { there } = open();
  await solution();
  there.isSignedIn = false;
  act(() => endSession());
  await screen.findByRole('button', { name: 'Log in' });
  expect(sessionStorage.getItem('riskboard.draft')).toBeNull();
});

it('removes the kept input when another account logs in', async () => {
  const { loseSession, login, there } = open();
  await loseSession();
  expect(sessionStorage.getItem('riskboard.draft')).toContain('Typed text.');
  there.user = userOf({ _id: '0199f000-0000-7000-8000-0000000000c1', email: 'grace@example.org' });
  await login();
  expect((await solution()).value).toBe('Stored text.');
  expect(screen.queryByText(restored)).toBeNull();
  expect(sessionStorage.getItem('riskboard.draft')).toBeNull();
});

it('does not restore input of the same account in another organization', async () => {
  const { loseSession, login, there } = open();
  await loseSession();
  there.user = userOf({ organizationId: '0199f000-0000-7000-8000-0000000000b2' });
  await login();
  expect((await solution()).value).toBe('Stored text.');
  expect(screen.queryByText(restored)).toBeNull();
});

it('keeps nothing when the user logs out', async () => {
  const { user } = open();
  await fill(user, await solution(), 'Typed text.');
  await user.click(button(/Hello, Ada/u));
  await user.click(await screen.findByRole('menuitem', { name: 'Log out' }));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Log in' })).toBeDefined());
  expect(sessionStorage.getItem('riskboard.draft')).toBeNull();
});
