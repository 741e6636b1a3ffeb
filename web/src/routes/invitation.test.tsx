import { accounts, invitations, ownerOf, signedInAsHeader, type Reply } from '@riskboard/contract';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { answerDashboard } from '../testing/dashboard.ts';
import { stubSockets } from '../testing/fake-socket.ts';
import { renderApp, setupUser } from '../testing/render-app.tsx';
import { counted, refusal, useServer } from '../testing/server.ts';
import { userOf } from '../testing/rows.ts';

useServer();

beforeEach(stubSockets);

const address = '/invitation?token=secret';

function answerInvitation(change: Partial<Reply<typeof invitations.read>> = {}) {
  return counted(invitations.read, async ({ request }) => {
    expect(await request.json()).toEqual({ token: 'secret' });
    return {
      organization: 'Harbour Authority',
      role: 'analyst' as const,
      email: 'grace@example.org',
      invitedBy: 'Ada Lovelace',
      known: false,
      claimable: false,
      ...change,
    };
  });
}

function answerSignedOut() {
  counted(accounts.me, () => refusal('not_signed_in'));
  counted(accounts.refresh, () => refusal('not_signed_in'));
}

test('an invitation shows inviter, organization and role, and removes the secret from the URL', async () => {
  answerSignedOut();
  answerInvitation();
  const { router } = renderApp(address);
  await screen.findByRole('heading', { name: 'Join Harbour Authority' });
  expect(
    screen.getByText(/^Ada Lovelace invited you as an analyst: you can view and edit everything/u),
  ).toBeDefined();
  expect(router.state.location.href).toBe('/invitation');
});

test('an invited address without an account signs up, with a fixed email address', async () => {
  const user = setupUser();
  answerSignedOut();
  answerInvitation();
  counted(accounts.signup, async ({ request }) => {
    expect(await request.json()).toMatchObject({
      email: 'grace@example.org',
      firstName: 'Grace',
      invitation: 'secret',
    });
    return { user: userOf({ firstName: 'Grace' }) };
  });
  renderApp(address);
  const email = await screen.findByLabelText('Email');
  await user.type(email, 'x');
  expect(email.getAttribute('value')).toBe('grace@example.org');
  expect(screen.queryByLabelText(/^Organization/u)).toBeNull();
  await user.type(screen.getByLabelText('First name'), 'Grace');
  await user.type(screen.getByLabelText('Password'), 'correct horse battery');
  answerDashboard({ user: { firstName: 'Grace' } });
  await user.click(screen.getByRole('button', { name: 'Create account' }));
  expect(await screen.findByRole('heading', { name: 'Hello, Grace' })).toBeDefined();
});

test('an invited address with an account logs in to accept', async () => {
  const user = setupUser();
  answerSignedOut();
  answerInvitation({ known: true });
  counted(accounts.login, async ({ request }) => {
    expect(await request.json()).toEqual({
      email: 'grace@example.org',
      password: 'correct horse battery',
      invitation: 'secret',
    });
    return { user: userOf({ firstName: 'Grace' }) };
  });
  renderApp(address);
  const email = await screen.findByLabelText('Email');
  await user.type(email, 'x');
  expect(email.getAttribute('value')).toBe('grace@example.org');
  await user.type(screen.getByLabelText('Password'), 'correct horse battery');
  answerDashboard({ user: { firstName: 'Grace' } });
  await user.click(screen.getByRole('button', { name: 'Log in' }));
  expect(await screen.findByRole('heading', { name: 'Hello, Grace' })).toBeDefined();
});

test('a signed-in recipient joins with one button and sees the new organization', async () => {
  const user = setupUser();
  answerDashboard({ user: { email: 'Grace@example.org', firstName: 'Grace' } });
  answerInvitation({ known: true });
  const accept = counted(invitations.accept, async ({ request }) => {
    expect(request.headers.get(signedInAsHeader)).toBe(ownerOf(userOf()));
    expect(await request.json()).toEqual({ token: 'secret' });
    return { success: true as const };
  });
  const { router } = renderApp(address);
  const join = await screen.findByRole('button', { name: 'Join Harbour Authority' });
  expect(screen.queryByLabelText('Password')).toBeNull();
  answerDashboard({ user: { firstName: 'Grace', organization: 'Harbour Authority' } });
  await user.click(join);
  await screen.findByRole('heading', { name: 'Hello, Grace' });
  expect((await screen.findAllByText('Harbour Authority')).length).toBeGreaterThan(0);
  expect(router.state.location.pathname).toBe('/dashboard');
  expect(accept.times).toBe(1);
});

test('an invitation is not accepted by an account that logged in in another tab, which is shown instead', async () => {
  const user = setupUser();
  answerDashboard({ user: { email: 'grace@example.org' } });
  answerInvitation({ known: true });
  counted(invitations.accept, () => refusal('session_changed'));
  renderApp(address);
  const join = await screen.findByRole('button', { name: 'Join Harbour Authority' });
  answerDashboard({ user: { email: 'ben@example.org' } });
  await user.click(join);
  expect(await screen.findByText('ben@example.org')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Join Harbour Authority' })).toBeNull();
});

test('an invitation that expired while it was open shows the reason at the button', async () => {
  const user = setupUser();
  answerDashboard({ user: { email: 'grace@example.org' } });
  answerInvitation({ known: true });
  counted(invitations.accept, () => refusal('not_found', 'This invitation is no longer valid.'));
  renderApp(address);
  await user.click(await screen.findByRole('button', { name: 'Join Harbour Authority' }));
  await waitFor(() =>
    expect(screen.getByRole('alert').textContent).toBe('This invitation is no longer valid.'),
  );
});

test('a signed-in user with another address can log out, which forgets their data, and use the invitation', async () => {
  const user = setupUser();
  answerDashboard();
  answerInvitation({ known: true });
  counted(accounts.logout, () => ({ success: true as const }));
  const { router, queryClient } = renderApp(address);
  const logout = await screen.findByRole('button', { name: 'Log out' });
  expect(screen.getByText('grace@example.org')).toBeDefined();
  expect(screen.getByText('ada@example.org')).toBeDefined();
  expect(screen.getByRole('link', { name: 'Stay logged in' }).getAttribute('href')).toBe('/dashboard');
  for (const name of ['draft', 'followed-work', 'recent.ada.northwind'])
    sessionStorage.setItem(`riskboard.${name}`, '[]');
  queryClient.setQueryData(['threats', 'detail', '1'], { name: 'Emotet' });
  answerSignedOut();
  await user.click(logout);
  expect((await screen.findByLabelText('Email')).getAttribute('value')).toBe('grace@example.org');
  expect(router.state.location.pathname).toBe('/invitation');
  expect(Object.keys(sessionStorage).filter((key) => key.startsWith('riskboard.'))).toEqual([]);
  expect(queryClient.getQueryData(['threats', 'detail', '1'])).toBeUndefined();
});

test('an invitation without names of organization and inviter has its own texts', async () => {
  answerSignedOut();
  answerInvitation({ organization: '', invitedBy: '', role: 'viewer' });
  renderApp(address);
  await screen.findByRole('heading', { name: 'Join the organization' });
  expect(screen.getByText(/^You have been invited as a viewer: you can view everything/u)).toBeDefined();
});

test('an expired invitation shows the reason', async () => {
  answerSignedOut();
  counted(invitations.read, () =>
    refusal('not_found', 'This invitation is no longer valid. Ask the inviter for a new one.'),
  );
  renderApp(address);
  expect((await screen.findByRole('alert')).textContent).toBe(
    'This invitation is no longer valid. Ask the inviter for a new one.',
  );
  expect(screen.getByRole('link', { name: 'Log in' })).toBeDefined();
});

test('an invitation page without a secret shows that the link is incomplete', async () => {
  renderApp('/invitation');
  expect((await screen.findByRole('alert')).textContent).toContain('This link is incomplete.');
});

test('an invitation that failed to load can be retried', async () => {
  const user = setupUser();
  answerSignedOut();
  counted(invitations.read, () => refusal('too_many'));
  renderApp(address);
  const retry = await screen.findByRole('button', { name: 'Retry' });
  answerInvitation();
  await user.click(retry);
  expect(await screen.findByRole('heading', { name: 'Join Harbour Authority' })).toBeDefined();
});

test("an account that never confirmed the address can be replaced by an account of one's own", async () => {
  const user = setupUser();
  answerSignedOut();
  answerInvitation({ known: true, claimable: true });
  const signup = counted(accounts.signup, async ({ request }) => {
    expect(await request.json()).toMatchObject({ email: 'grace@example.org', invitation: 'secret' });
    return { user: userOf({ firstName: 'Grace' }) };
  });
  renderApp(address);
  await user.click(await screen.findByRole('button', { name: 'Create my own account' }));
  await user.type(await screen.findByLabelText('First name'), 'Grace');
  await user.type(screen.getByLabelText('Password'), 'correct horse battery');
  answerDashboard({ user: { firstName: 'Grace' } });
  await user.click(screen.getByRole('button', { name: 'Create account' }));
  await screen.findByRole('heading', { name: 'Hello, Grace' });
  expect(signup.times).toBe(1);
});

test('a link that was not mailed lets its reader choose between an account and a new one', async () => {
  const user = setupUser();
  answerSignedOut();
  answerInvitation({ known: null });
  counted(accounts.login, async ({ request }) => {
    expect(await request.json()).toMatchObject({ email: 'grace@example.org', invitation: 'secret' });
    return { user: userOf({ firstName: 'Grace' }) };
  });
  renderApp(address);
  await screen.findByLabelText('First name');
  await user.click(screen.getByRole('button', { name: 'I already have an account' }));
  expect(screen.queryByLabelText('First name')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'I have no account yet' }));
  await screen.findByLabelText('First name');
  await user.click(screen.getByRole('button', { name: 'I already have an account' }));
  await user.type(await screen.findByLabelText('Password'), 'correct horse battery');
  answerDashboard({ user: { firstName: 'Grace' } });
  await user.click(screen.getByRole('button', { name: 'Log in' }));
  expect(await screen.findByRole('heading', { name: 'Hello, Grace' })).toBeDefined();
});
