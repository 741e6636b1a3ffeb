import { accounts, errors, sessionMeta } from '@riskboard/contract';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { stubSockets } from '../testing/fake-socket.ts';
import { fill, renderApp, setupUser } from '../testing/render-app.tsx';
import { counted, refusal, server, useServer } from '../testing/server.ts';
import { answerDashboard, answerSignedOut } from '../testing/dashboard.ts';
import { userOf } from '../testing/rows.ts';

useServer();

beforeEach(() => {
  stubSockets();
  answerSignedOut();
});

const email = () => screen.findByLabelText('Email');
const password = () => screen.findByLabelText('Password');
const submit = () => screen.findByRole('button', { name: 'Log in' });

async function fillIn(user: UserEvent) {
  await fill(user, await email(), 'ada@example.org');
  await fill(user, await password(), 'correct horse battery');
}

test('a valid login shows a busy button, then the dashboard', async () => {
  const user = setupUser();
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  counted(accounts.login, async ({ request }) => {
    expect(await request.json()).toEqual({ email: 'ada@example.org', password: 'correct horse battery' });
    await released;
    answerDashboard();
    return { user: userOf() };
  });
  const { router } = renderApp('/login');
  await fillIn(user);
  await user.click(await submit());
  const busy = await screen.findByRole('button', { name: 'Logging in…' });
  expect(busy.getAttribute('aria-disabled')).toBe('true');
  release();
  expect(await screen.findByRole('heading', { name: 'Hello, Ada' })).toBeDefined();
  expect(router.state.location.pathname).toBe('/dashboard');
});

test.each(['/', '/login', '/signup'])(
  '%s does not ask who is signed in when the browser had no session',
  async (address) => {
    const requests = counted(accounts.me, () => refusal('not_signed_in'));
    const meta = document.createElement('meta');
    meta.name = sessionMeta;
    document.head.append(meta);
    onTestFinished(() => meta.remove());
    renderApp(address);
    await email();
    expect(requests.times).toBe(0);
  },
);

test.each([
  ['/login', '/dashboard'],
  ['/login?next=%2Fdashboard%2Fjobs', '/dashboard/jobs'],
  ['/login?next=%2F%2Fevil.example', '/dashboard'],
  ['/signup', '/dashboard'],
])('%s leads a signed-in user to %s', async (address, page) => {
  answerDashboard();
  const { router } = renderApp(address);
  await screen.findByRole('navigation', { name: 'Main' });
  expect(router.state.location.href).toBe(page);
});

test('the login button is disabled until both fields are filled (spec 5)', async () => {
  const user = setupUser();
  const login = counted(accounts.login, () => ({ user: userOf() }));
  renderApp('/login');
  expect((await submit()).getAttribute('aria-disabled')).toBe('true');
  await user.type(await email(), 'ada@example.org{Enter}');
  expect((await submit()).getAttribute('aria-disabled')).toBe('true');
  fireEvent.submit(await email());
  expect(login.times).toBe(0);
  await user.type(await password(), 'x');
  expect((await submit()).getAttribute('aria-disabled')).not.toBe('true');
});

test('a wrong password shows the error, keeps the input, and can be submitted again', async () => {
  const user = setupUser();
  counted(accounts.login, () => refusal('invalid_credentials'));
  renderApp('/login');
  await fillIn(user);
  await user.click(await submit());
  await waitFor(() =>
    expect(screen.getByRole('alert').textContent).toBe('Invalid credentials, please try again.'),
  );
  expect((await password()).getAttribute('value')).toBe('correct horse battery');
  expect((await submit()).getAttribute('aria-disabled')).not.toBe('true');
});

test.each([
  ['the server’s message when there is one', refusal('too_many'), errors.too_many.fallback],
  [
    'the fallback when it has no message',
    new HttpResponse(null, { status: 400 }),
    'Invalid credentials, please try again.',
  ],
  ['a thrown failure', HttpResponse.error(), 'An unexpected error occurred.'],
])('the login error is %s', async (_, response, message) => {
  const user = setupUser();
  server.use(http.post('*/api/auth/login', () => response.clone()));
  renderApp('/login');
  await fillIn(user);
  await user.click(await submit());
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe(message));
});

test('the password can be shown and hidden; password managers find both fields', async () => {
  const user = setupUser();
  renderApp('/login');
  const field = await password();
  expect((await email()).getAttribute('autocomplete')).toBe('username');
  expect((await email()).getAttribute('type')).toBe('email');
  expect(field.getAttribute('autocomplete')).toBe('current-password');
  expect(field.getAttribute('type')).toBe('password');
  await user.click(screen.getByRole('button', { name: 'Show password' }));
  expect(field.getAttribute('type')).toBe('text');
  await user.click(screen.getByRole('button', { name: 'Hide password' }));
  expect(field.getAttribute('type')).toBe('password');
});

test('the login starts in the email; the Tab key leads to the password, then to the button', async () => {
  const user = setupUser();
  renderApp('/login');
  await waitFor(() => expect(document.activeElement?.getAttribute('name')).toBe('email'));
  await user.keyboard('ada@example.org{Tab}');
  expect(document.activeElement).toBe(await password());
  await user.keyboard('correct horse battery{Tab}');
  expect(document.activeElement).toBe(await submit());
  await user.tab();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Show password' }));
  await user.tab();
  expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Forgot your password?' }));
});

test('the login page links to sign-up and password reset', async () => {
  renderApp('/login');
  expect((await screen.findByRole('link', { name: 'Sign up' })).getAttribute('href')).toBe('/signup');
  expect(screen.getByRole('link', { name: 'Forgot your password?' }).getAttribute('href')).toBe('/');
});

test('the link to the password reset passes the typed email address on', async () => {
  const user = setupUser();
  const { router } = renderApp('/login');
  await user.type(await email(), 'ada@example.org');
  await user.click(screen.getByRole('link', { name: 'Forgot your password?' }));
  await screen.findByRole('button', { name: 'Send reset link' });
  expect(router.state.location.href).toBe('/');
  expect(document.activeElement).toBe(await email());
  expect((await email()).getAttribute('value')).toBe('ada@example.org');
});

describe('login with a second factor', () => {
  const wrongCode = 'Invalid code. Enter the next one from your app.';
  const code = () => screen.findByLabelText('Code');
  let sent: unknown[] = [];

  /** Logs in until the code is requested; the server accepts only `valid`. */
  async function upToCode(valid: string) {
    sent = [];
    counted(accounts.login, async ({ request }) => {
      const body = (await request.json()) as { code?: string };
      sent.push(body);
      if (body.code === undefined) return refusal('second_factor_needed');
      if (body.code !== valid) return refusal('invalid_credentials', wrongCode);
      answerDashboard();
      return { user: userOf() };
    });
    const user = setupUser();
    const { router } = renderApp('/login?next=%2Fdashboard%2Fjobs');
    await fillIn(user);
    await user.click(await submit());
    return { user, router };
  }

  test('requests the code and sends it with email and password', async () => {
    const { user, router } = await upToCode('123456');
    const field = await code();
    expect(document.activeElement).toBe(field);
    expect(field.getAttribute('inputmode')).toBe('numeric');
    expect(field.getAttribute('autocomplete')).toBe('one-time-code');
    expect(screen.getByText('Enter the code of your authenticator app.')).toBeDefined();
    expect(screen.getByRole('alert').textContent).toBe('');
    await user.type(field, '12345');
    expect((await submit()).getAttribute('aria-disabled')).toBe('true');
    await user.clear(field);
    await user.type(field, '123 456{Enter}');
    await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard/jobs'));
    const pair = { email: 'ada@example.org', password: 'correct horse battery' };
    expect(sent).toEqual([pair, { ...pair, code: '123456' }]);
  });

  test('shows and selects a wrong code, and accepts the next one', async () => {
    const { user, router } = await upToCode('654321');
    await user.type(await code(), '123456{Enter}');
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe(wrongCode));
    // Selected: typing replaces it.
    await user.keyboard('654321{Enter}');
    await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard/jobs'));
  });

  test('accepts a recovery code instead', async () => {
    const { user, router } = await upToCode('ABCD-EFGH-JKLM-NPQR');
    await user.type(await code(), '123456{Enter}');
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe(wrongCode));
    await user.click(screen.getByRole('button', { name: 'Use a recovery code' }));
    const field = screen.getByLabelText('Recovery code');
    expect(document.activeElement).toBe(field);
    expect(screen.getByRole('alert').textContent).toBe('');
    expect(field.getAttribute('value')).toBe('');
    expect(field.getAttribute('inputmode')).toBeNull();
    await user.type(field, ' ABCD-EFGH-JKLM-NPQR {Enter}');
    await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard/jobs'));
  });

  test('keeps the email address and clears the error when the user goes back', async () => {
    const { user } = await upToCode('654321');
    await user.type(await code(), '123456{Enter}');
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe(wrongCode));
    await user.click(screen.getByRole('button', { name: 'Back' }));
    expect((await email()).getAttribute('value')).toBe('ada@example.org');
    expect(document.activeElement).toBe(await password());
    expect(screen.getByRole('alert').textContent).toBe('');
  });
});

test('a page that needs a session redirects to the login and back', async () => {
  const user = setupUser();
  counted(accounts.login, () => ({ user: userOf() }));
  const { router } = renderApp('/dashboard?search=mail');
  await fillIn(user);
  expect(router.state.location.href).toBe('/login?next=%2Fdashboard%3Fsearch%3Dmail');
  answerDashboard();
  await user.click(await submit());
  await screen.findByRole('heading', { name: 'Hello, Ada' });
  expect(router.state.location.href).toBe('/dashboard?search=mail');
});

test.each(['https://evil.example', '//evil.example', '/\\evil.example'])(
  'the login does not redirect to %s',
  async (next) => {
    const user = setupUser();
    counted(accounts.login, () => {
      answerDashboard();
      return { user: userOf() };
    });
    const { router } = renderApp(`/login?next=${encodeURIComponent(next)}`);
    await fillIn(user);
    await user.click(await submit());
    await screen.findByRole('heading', { name: 'Hello, Ada' });
    expect(router.state.location.href).toBe('/dashboard');
  },
);
