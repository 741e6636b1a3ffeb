import { passwords } from '@riskboard/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { answerDashboard, answerSignedOut } from '../testing/dashboard.ts';
import { stubSockets } from '../testing/fake-socket.ts';
import { renderApp, setupUser } from '../testing/render-app.tsx';
import { counted, refusal, useServer } from '../testing/server.ts';

useServer();

beforeEach(() => {
  stubSockets();
  answerSignedOut();
});

afterEach(() => void vi.useRealTimers());

const sameForAll = 'If an account exists for this address, a reset link has been emailed to it.';
const email = () => screen.findByLabelText('Email');
const send = () => screen.findByRole('button', { name: /^Send/u });

test('the start page redirects a signed-in user to the dashboard', async () => {
  answerDashboard();
  const { router } = renderApp('/');
  expect(await screen.findByRole('heading', { name: 'Hello, Ada' })).toBeDefined();
  expect(router.state.location.pathname).toBe('/dashboard');
});

test('the start page offers login, sign-up and a password reset without a session', async () => {
  renderApp('/');
  expect((await screen.findByRole('link', { name: 'Log in' })).getAttribute('href')).toBe('/login');
  expect(screen.getByRole('link', { name: 'Sign up' }).getAttribute('href')).toBe('/signup');
  expect(screen.getByRole('heading', { name: 'Forgot your password?' })).toBeDefined();
  expect((await send()).getAttribute('aria-disabled')).toBe('true');
  expect(document.activeElement).toBe(document.body);
});

test('a requested reset link is confirmed in the form and can be requested again after a pause', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  const forgot = counted(passwords.forgot, async ({ request }) => {
    expect(await request.json()).toEqual({ email: 'ada@example.org' });
    return { message: sameForAll };
  });
  renderApp('/');
  // Rendered from the start, so that screen readers announce the reply.
  const answer = await screen.findByRole('status');
  expect(answer.textContent).toBe('');
  await user.type(await email(), ' ada@example.org{Enter}');
  await waitFor(() => expect(answer.textContent).toBe(sameForAll));
  const again = await screen.findByRole('button', { name: /^Send again in \d+ s$/u });
  expect(again.getAttribute('aria-disabled')).toBe('true');
  await user.type(await email(), '{Enter}');
  expect(forgot.times).toBe(1);
  await act(() => vi.advanceTimersByTimeAsync(61_000));
  await user.click(await screen.findByRole('button', { name: 'Send again' }));
  await waitFor(() => expect(forgot.times).toBe(2));
});

test('a reset link for another address can be requested without a pause', async () => {
  const user = setupUser();
  counted(passwords.forgot, () => ({ message: sameForAll }));
  renderApp('/');
  await user.type(await email(), 'ada@example.org{Enter}');
  await screen.findByText(sameForAll);
  await user.type(await email(), '.uk');
  expect(screen.queryByText(sameForAll)).toBeNull();
  expect(
    (await screen.findByRole('button', { name: 'Send reset link' })).getAttribute('aria-disabled'),
  ).not.toBe('true');
});

test('an invalid email address is shown at the reset field, other errors above the form', async () => {
  const user = setupUser();
  const message = 'Enter a valid email address.';
  counted(passwords.forgot, () => refusal('invalid', undefined, [{ path: 'email', message }]));
  renderApp('/');
  await user.type(await email(), 'ada{Enter}');
  await waitFor(async () => expect((await email()).getAttribute('aria-invalid')).toBe('true'));
  expect(screen.getByText(message)).toBeDefined();
  expect(screen.getByRole('alert').textContent).toBe('');
  counted(passwords.forgot, () => refusal('too_many'));
  await user.type(await email(), '@example.org{Enter}');
  await waitFor(() =>
    expect(screen.getByRole('alert').textContent).toBe(
      'Too many attempts. Wait a few minutes and try again.',
    ),
  );
  expect((await email()).getAttribute('aria-invalid')).not.toBe('true');
});

test('an unknown address has the main landmark without a session', async () => {
  renderApp('/nonsense');
  const main = await screen.findByRole('main');
  within(main).getByRole('heading', { name: 'Page not found' });
  expect(screen.queryByRole('navigation', { name: 'Main' })).toBeNull();
});

test.each(['/nonsense', '/dashboard/nonsense'])(
  'the unknown address %s has the navigation and one main landmark when logged in',
  async (address) => {
    answerDashboard();
    renderApp(address);
    await screen.findByRole('navigation', { name: 'Main' });
    const mains = await screen.findAllByRole('main');
    expect(mains).toHaveLength(1);
    await waitFor(() => expect(document.title).toBe('Page not found · Riskboard'));
    within(screen.getByRole('main')).getByRole('heading', { name: 'Page not found' });
  },
);
