import { accounts, invitations } from '@riskboard/contract';
import { act, screen, waitFor } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { answerDashboard, answerSignedOut } from '../testing/dashboard.ts';
import { stubSockets } from '../testing/fake-socket.ts';
import { fill, renderApp, setupUser } from '../testing/render-app.tsx';
import { counted, refusal, useServer } from '../testing/server.ts';
import { userOf } from '../testing/rows.ts';

useServer();

beforeEach(() => {
  stubSockets();
  answerSignedOut();
});

/** Text of the elements that describe a field. */
const describedBy = (field: HTMLElement) =>
  (field.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.querySelector(`[id="${id}"]`)?.textContent ?? '')
    .join(' ');

async function fillIn(user: UserEvent) {
  await fill(user, await screen.findByLabelText('First name'), 'Ada');
  await fill(user, screen.getByLabelText('Email'), 'ada@example.org');
  await fill(user, screen.getByLabelText('Password'), 'correct horse battery');
}

const submit = () => screen.getByRole('button', { name: 'Create account' });

test('sign-up without an organization opens the dashboard with a greeting', async () => {
  const user = setupUser();
  counted(accounts.signup, async ({ request }) => {
    expect(await request.json()).toEqual({
      firstName: 'Ada',
      lastName: '',
      email: 'ada@example.org',
      organization: '',
      password: 'correct horse battery',
    });
    answerDashboard({ user: { organization: '' }, files: 0 });
    return { user: userOf({ organization: '' }) };
  });
  renderApp('/signup');
  await fillIn(user);
  await user.click(submit());
  expect(await screen.findByRole('heading', { name: 'Hello, Ada' })).toBeDefined();
  expect(screen.getAllByText('Organization not set').length).toBeGreaterThan(0);
  expect(await screen.findByText('No reports yet')).toBeDefined();
});

test('sign-up is sent once when the button is clicked twice while the schemas load', async () => {
  const user = setupUser();
  const signup = counted(accounts.signup, () => {
    answerDashboard({ user: { organization: '' }, files: 0 });
    return { user: userOf({ organization: '' }) };
  });
  renderApp('/signup');
  await fillIn(user);
  const button = submit();
  act(() => {
    button.click();
    button.click();
  });
  await screen.findByRole('heading', { name: 'Hello, Ada' });
  expect(signup.times).toBe(1);
});

test('sign-up shows missing and too short fields and focuses the first of them', async () => {
  const user = setupUser();
  const signup = counted(accounts.signup, () => ({ user: userOf() }));
  renderApp('/signup');
  await user.type(await screen.findByLabelText('Password'), 'short');
  await user.click(submit());
  const firstName = screen.getByLabelText('First name');
  await waitFor(() => expect(firstName.getAttribute('aria-invalid')).toBe('true'));
  expect(describedBy(firstName)).toContain('Enter your first name.');
  expect(describedBy(screen.getByLabelText('Email'))).toContain('Enter a valid email address.');
  expect(describedBy(screen.getByLabelText('Password'))).toContain('Use at least 12 characters.');
  await waitFor(() => expect(document.activeElement).toBe(firstName));
  expect(signup.times).toBe(0);
  await user.type(firstName, 'Ada');
  await waitFor(() => expect(firstName.getAttribute('aria-invalid')).not.toBe('true'));
});

test('sign-up shows a field error of the server at its field', async () => {
  const user = setupUser();
  const details = [{ path: 'email', message: 'This email is already in use.' }];
  counted(accounts.signup, () => refusal('invalid', undefined, details));
  renderApp('/signup');
  await fillIn(user);
  await user.click(submit());
  const email = screen.getByLabelText('Email');
  await waitFor(() => expect(describedBy(email)).toContain('This email is already in use.'));
  expect(email.getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByRole('alert').textContent).toBe('Some fields are not valid.');
});

test('sign-up shows an error about one field only at that field', async () => {
  const user = setupUser();
  const message = 'This password is too common. Choose another.';
  counted(accounts.signup, () => refusal('invalid', message, [{ path: 'password', message }]));
  renderApp('/signup');
  await fillIn(user);
  await user.click(submit());
  const password = screen.getByLabelText('Password');
  await waitFor(() => expect(describedBy(password)).toContain(message));
  expect(describedBy(password)).toContain('Not accepted');
  await waitFor(() => expect(document.activeElement).toBe(password));
  expect(screen.getByRole('alert').textContent).toBe('');
});

test('sign-up shows any other error above the form, which can be submitted again', async () => {
  const user = setupUser();
  const signup = counted(accounts.signup, () => refusal('signup_closed'));
  renderApp('/signup');
  await fillIn(user);
  await user.click(submit());
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('Sign-up is by invitation only.'));
  await user.click(submit());
  await waitFor(() => expect(signup.times).toBe(2));
});

test('sign-up shows the strength of the password while the user types', async () => {
  const user = setupUser();
  renderApp('/signup');
  const field = await screen.findByLabelText('Password');
  await user.type(field, 'aaaaaaaaaa');
  expect(describedBy(field)).toContain('2 more needed');
  await user.type(field, 'aaaaaa');
  expect(describedBy(field)).toContain('Weak');
  await user.clear(field);
  await user.type(field, 'correct horse battery');
  expect(describedBy(field)).toContain('Strong');
});

test('a sign-up link with an invitation opens the invitation page', async () => {
  counted(invitations.read, () => refusal('not_found', 'This invitation is no longer valid.'));
  const { router } = renderApp('/signup?invitation=secret');
  expect((await screen.findByRole('alert')).textContent).toBe('This invitation is no longer valid.');
  expect(router.state.location.href).toBe('/invitation');
});

test('a mailed link that claims an address hides its secret from the URL and sends it with the sign-up, also beside a session', async () => {
  const user = setupUser();
  answerDashboard();
  const signup = counted(accounts.signup, async ({ request }) => {
    expect(await request.json()).toMatchObject({ claim: 'secret' });
    const message = 'This link is no longer valid. Request a new one.';
    return refusal('invalid', message, [{ path: 'claim', message }]);
  });
  const { router } = renderApp('/signup?claim=secret');
  await screen.findByText(/^Enter the address that the link was sent to\./u);
  expect(router.state.location.href).toBe('/signup');
  await fillIn(user);
  await user.click(submit());
  await waitFor(() =>
    expect(screen.getByRole('alert').textContent).toBe('This link is no longer valid. Request a new one.'),
  );
  expect(signup.times).toBe(1);
});
