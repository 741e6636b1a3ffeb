import { accounts, passwords } from '@riskboard/contract';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { answerSignedOut } from '../testing/dashboard.ts';
import { stubSockets } from '../testing/fake-socket.ts';
import { renderApp, setupUser } from '../testing/render-app.tsx';
import { counted, refusal, useServer } from '../testing/server.ts';

useServer();

beforeEach(() => {
  stubSockets();
  answerSignedOut();
});

const spent = 'This link is no longer valid. Request a new one.';
const tooCommon = 'This password is too common. Choose another.';
const field = () => screen.findByLabelText('New password');
const save = () => screen.getByRole('button', { name: 'Set password' });

test('a password reset opens the login page with a confirmation', async () => {
  const user = setupUser();
  counted(passwords.reset, async ({ request }) => {
    expect(await request.json()).toEqual({
      token: 'secret',
      password: 'correct horse battery',
      revokeTokens: true,
    });
    return { message: 'Your password has been changed. Please log in.' };
  });
  const { router } = renderApp('/reset-password?token=secret');
  expect((await field()).getAttribute('autocomplete')).toBe('new-password');
  await user.type(await field(), 'correct horse battery');
  expect(screen.getByText('Strong')).toBeDefined();
  await user.click(save());
  await screen.findByRole('heading', { name: 'Log in' });
  expect(screen.getByText('Your password has been changed. Please log in.')).toBeDefined();
  expect(router.state.location.href).toBe('/login');
});

test('the reset page moves the secret from the URL to the history state', async () => {
  const { router } = renderApp('/reset-password?token=secret');
  await field();
  expect(router.state.location.href).toBe('/reset-password');
  expect(router.history.location.state).toMatchObject({ linkToken: 'secret' });
  expect(router.history.length).toBe(1);
});

test('a new password that is too short is not sent', async () => {
  const user = setupUser();
  const reset = counted(passwords.reset, () => ({ message: '' }));
  renderApp('/reset-password?token=secret');
  await user.type(await field(), 'short');
  expect((await field()).getAttribute('aria-invalid')).not.toBe('true');
  await user.click(save());
  expect(await screen.findByText('Use at least 12 characters.')).toBeDefined();
  expect((await field()).getAttribute('aria-invalid')).toBe('true');
  expect(document.activeElement).toBe(await field());
  await user.type(await field(), ' but longer');
  expect(screen.queryByText('Use at least 12 characters.')).toBeNull();
  expect(reset.times).toBe(0);
});

test('a refused new password shows the reason until the user changes it', async () => {
  const user = setupUser();
  counted(passwords.reset, () => refusal('invalid', undefined, [{ path: 'password', message: tooCommon }]));
  renderApp('/reset-password?token=secret');
  await user.type(await field(), 'correct horse battery{Enter}');
  expect(await screen.findByText(tooCommon)).toBeDefined();
  expect(screen.getByText('Not accepted')).toBeDefined();
  expect(screen.queryByText('Strong')).toBeNull();
  expect((await field()).getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByRole('alert').textContent).toBe('');
  await user.type(await field(), '5');
  expect(screen.queryByText(tooCommon)).toBeNull();
  expect(screen.getByText('Strong')).toBeDefined();
});

test('another error of the reset is shown above the form, which can be submitted again', async () => {
  const user = setupUser();
  const reset = counted(passwords.reset, () => refusal('unavailable'));
  renderApp('/reset-password?token=secret');
  await user.type(await field(), 'correct horse battery{Enter}');
  await waitFor(() =>
    expect(screen.getByRole('alert').textContent).toBe(
      'A part of Riskboard is unavailable. Try again in a few minutes.',
    ),
  );
  await user.click(save());
  await waitFor(() => expect(reset.times).toBe(2));
});

test('an expired reset link offers to request a new one', async () => {
  const user = setupUser();
  counted(accounts.me, () => refusal('not_signed_in'));
  counted(accounts.refresh, () => refusal('not_signed_in'));
  counted(passwords.reset, () => refusal('invalid', undefined, [{ path: 'token', message: spent }]));
  const { router } = renderApp('/reset-password?token=secret');
  await user.type(await field(), 'correct horse battery{Enter}');
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe(spent));
  expect(screen.queryByLabelText('New password')).toBeNull();
  await user.click(screen.getByRole('link', { name: 'Request a new link' }));
  await screen.findByRole('button', { name: 'Send reset link' });
  expect(document.activeElement).toBe(screen.getByLabelText('Email'));
  expect(router.state.location.href).toBe('/');
});

test('a reset page without a secret shows that the link is incomplete', async () => {
  renderApp('/reset-password');
  expect((await screen.findByRole('alert')).textContent).toContain('This link is incomplete.');
  expect(screen.getByRole('link', { name: 'Request a new link' })).toBeDefined();
});
