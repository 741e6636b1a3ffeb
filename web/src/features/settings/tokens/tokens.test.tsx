import { tokens } from '@riskboard/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { answer, counted, refusal, server, useServer } from '../../../testing/server.ts';
import { settingsApi, tokenOf } from '../../../testing/settings.ts';
import { visit } from '../../../testing/render-app.tsx';

useServer();

const secret = 'rb_0123456789abcdefZz19';

test('tokens show with role, end of the secret, use and expiry', async () => {
  const api = settingsApi();
  api.tokens = [
    tokenOf(),
    tokenOf({ name: 'Old one', expired: true, lastUsedAt: '2026-11-20T10:00:00.000Z' }),
  ];
  visit('/dashboard/settings/tokens');
  const fresh = within(
    (await screen.findByRole('rowheader', { name: /^Nightly upload/u })).closest('tr') as HTMLElement,
  );
  fresh.getByText('…x9Qz');
  fresh.getByText('Analyst');
  fresh.getByText('Never');
  const old = within(screen.getByRole('rowheader', { name: /^Old one/u }).closest('tr') as HTMLElement);
  old.getByText('Expired');
  expect(old.queryByText('Never')).toBeNull();
  expect(screen.getByRole('link', { name: 'API documentation' }).getAttribute('href')).toBe('/api/docs');
});

test('a token is made, shown once with a command, and gone from the page after that', async () => {
  const api = settingsApi();
  const sent = vi.fn<(body: unknown) => void>();
  server.use(
    answer(tokens.create, async ({ request }) => {
      sent(await request.json());
      const made = tokenOf({ name: 'CI', hint: 'Zz19' });
      api.tokens = [made];
      return { ...made, token: secret };
    }),
  );
  const { user } = visit('/dashboard/settings/tokens');
  await screen.findByText('No API tokens yet.');
  await user.click(screen.getByRole('button', { name: 'New token' }));
  await user.click(await screen.findByRole('button', { name: 'Make token' }));
  await screen.findByText('Enter a name.');
  await user.type(screen.getByLabelText('Name'), 'CI');
  await user.click(screen.getByRole('radio', { name: 'Analyst' }));
  await user.click(screen.getByRole('button', { name: '30 days' }));
  await user.click(screen.getByRole('button', { name: 'Make token' }));
  const made = await screen.findByRole('dialog', { name: 'Token for CI' });
  expect(sent).toHaveBeenCalledExactlyOnceWith({ name: 'CI', role: 'analyst', expiresInDays: 30 });
  within(made).getByText(secret);
  within(made).getByText(
    `curl -H 'Authorization: Bearer ${secret}' http://localhost:3000/api/reports/overview`,
  );
  await user.click(within(made).getByRole('button', { name: 'Copy token' }));
  expect(await navigator.clipboard.readText()).toBe(secret);
  await user.keyboard('{Escape}');
  within(made).getByText(secret);
  await user.click(within(made).getByRole('button', { name: 'I have copied it' }));
  await screen.findByText('…Zz19');
  expect(screen.queryByText(secret)).toBeNull();
});

test.each([
  ['0', false],
  ['366', false],
  ['365', true],
  ['', false],
])('a lifetime of %j days is sent: %s', async (days, good) => {
  settingsApi();
  const create = counted(tokens.create, () => ({ ...tokenOf(), token: secret }));
  const { user } = visit('/dashboard/settings/tokens');
  await user.click(await screen.findByRole('button', { name: 'New token' }));
  await user.type(await screen.findByLabelText('Name'), 'CI');
  const field = screen.getByLabelText('Expires after (days)');
  await user.clear(field);
  if (days !== '') await user.type(field, days);
  await user.click(screen.getByRole('button', { name: 'Make token' }));
  if (good) await screen.findByText(secret);
  else await screen.findByText('Enter 1 to 365 days.');
  expect(create.times).toBe(good ? 1 : 0);
});

test('no token may more than its person', async () => {
  settingsApi({ role: 'analyst' });
  const { user } = visit('/dashboard/settings/tokens');
  await user.click(await screen.findByRole('button', { name: 'New token' }));
  const owner = await screen.findByRole('radio', { name: 'Owner' });
  expect(owner.getAttribute('aria-disabled')).toBe('true');
  screen.getByText('A token never may more than you: you are an analyst.');
  expect(screen.getByRole('radio', { name: 'Analyst' }).getAttribute('aria-disabled')).not.toBe('true');
});

test('a viewer makes none and is told why, but may revoke', async () => {
  const api = settingsApi({ role: 'viewer' });
  const token = tokenOf({ role: 'viewer' });
  api.tokens = [token];
  server.use(
    answer(tokens.revoke, ({ params }) => {
      api.tokens = [];
      return { success: true as const, _id: String(params['id']), id: String(params['id']) };
    }),
  );
  const { user } = visit('/dashboard/settings/tokens');
  const create = await screen.findByRole('button', { name: 'New token' });
  expect(create.getAttribute('aria-disabled')).toBe('true');
  await user.hover(create);
  await screen.findByText('Requires the analyst role. You are a viewer.');
  await user.click(await screen.findByRole('button', { name: 'Revoke Nightly upload' }));
  const question = await screen.findByRole('alertdialog', { name: 'Revoke Nightly upload?' });
  await user.click(within(question).getByRole('button', { name: 'Revoke' }));
  await screen.findByText('Nightly upload is revoked');
  await waitFor(() => expect(screen.queryByRole('rowheader')).toBeNull());
});

test('a token that was not revoked stays, with the reason', async () => {
  const api = settingsApi();
  api.tokens = [tokenOf()];
  server.use(answer(tokens.revoke, () => refusal('unavailable')));
  const { user } = visit('/dashboard/settings/tokens');
  await user.click(await screen.findByRole('button', { name: 'Revoke Nightly upload' }));
  await user.click(await screen.findByRole('button', { name: 'Revoke' }));
  await screen.findByText('The token was not revoked');
  expect(screen.getAllByRole('rowheader')).toHaveLength(1);
});
