import { accounts, emailChange } from '@riskboard/contract';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { stubSockets } from '../testing/fake-socket.ts';
import { renderApp, setupUser } from '../testing/render-app.tsx';
import { counted, refusal, useServer } from '../testing/server.ts';

useServer();

beforeEach(stubSockets);

const button = () => screen.findByRole('button', { name: 'Confirm address' });
const changed = 'Your email address has been changed. Use it the next time you log in.';

test('the email address changes when the button is pressed, not when the link is opened', async () => {
  const user = setupUser();
  const confirm = counted(emailChange.confirm, async ({ request }) => {
    expect(await request.json()).toEqual({ token: 'secret' });
    return { message: changed };
  });
  const { router } = renderApp('/confirm-email?token=secret');
  await button();
  expect(confirm.times).toBe(0);
  expect(router.state.location.href).toBe('/confirm-email');
  await user.click(await button());
  await screen.findByText(changed);
  expect(confirm.times).toBe(1);
  expect(screen.getByRole('link', { name: 'Go to your profile' })).toBeDefined();
});

test('an expired confirmation link shows the reason', async () => {
  const user = setupUser();
  const spent = 'This link is no longer valid. Request a new one.';
  counted(accounts.me, () => refusal('not_signed_in'));
  counted(emailChange.confirm, () => refusal('invalid', undefined, [{ path: 'token', message: spent }]));
  renderApp('/confirm-email?token=secret');
  await user.click(await button());
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe(spent));
  expect(screen.queryByRole('button', { name: 'Confirm address' })).toBeNull();
});

test('another error of the confirmation is shown above the button, which can be pressed again', async () => {
  const user = setupUser();
  const confirm = counted(emailChange.confirm, () => refusal('unavailable'));
  renderApp('/confirm-email?token=secret');
  await user.click(await button());
  await waitFor(() =>
    expect(screen.getByRole('alert').textContent).toBe(
      'A part of Riskboard is unavailable. Try again in a few minutes.',
    ),
  );
  await user.click(await button());
  await waitFor(() => expect(confirm.times).toBe(2));
});

test('a confirmation page without a secret shows that the link is incomplete', async () => {
  renderApp('/confirm-email');
  expect((await screen.findByRole('alert')).textContent).toContain('This link is incomplete.');
});
