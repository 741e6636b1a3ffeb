import { tokens } from '@riskboard/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { answer, counted, refusal, server, useServer } from '../../../testing/server.ts';
import { settingsApi, tokenOf } from '../../../testing/settings.ts';
import { visit } from '../../../testing/render-app.tsx';

useServer();

const secret = 'rb_0123456789abcdefZz19';

test('the token list shows role, last characters, last use and expiry of each token', async () => {
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

test('the button that revokes a token stays in view while a narrow token list scrolls sideways', async () => {
  settingsApi().tokens = [tokenOf()];
  visit('/dashboard/settings/tokens');
  const cell = (await screen.findByRole('button', { name: 'Revoke Nightly upload' })).closest('td');
  expect(cell?.className).toContain('sticky right-0');
  expect(screen.getByRole('columnheader', { name: 'Actions' }).style.width).toBe('60px');
});

test('a new token is shown once, with an example command', async () => {
  const api = settingsApi();
  const sent = vi.fn<(body: unknown) => void>();
  server.use(
    answer(tokens.create, async ({ request }) => {
      sent(await request.json());
      const token = tokenOf({ name: 'CI', hint: 'Zz19' });
      api.tokens = [token];
      return { ...token, token: secret };
    }),
  );
  const { user } = visit('/dashboard/settings/tokens');
  await screen.findByText('No API tokens yet.');
  await user.click(screen.getByRole('button', { name: 'New token' }));
  await user.click(await screen.findByRole('button', { name: 'Create token' }));
  await screen.findByText('Enter a name.');
  await user.type(screen.getByLabelText('Name'), 'CI');
  await user.click(screen.getByRole('radio', { name: 'Analyst' }));
  await user.click(screen.getByRole('button', { name: '30 days' }));
  await user.type(screen.getByLabelText('Your password'), 'right');
  await user.click(screen.getByRole('button', { name: 'Create token' }));
  const dialog = await screen.findByRole('dialog', { name: 'Token for CI' });
  expect(sent).toHaveBeenCalledExactlyOnceWith({
    name: 'CI',
    role: 'analyst',
    password: 'right',
    expiresInDays: 30,
  });
  within(dialog).getByText(secret);
  within(dialog).getByText(
    `curl -H 'Authorization: Bearer ${secret}' http://localhost:3000/api/reports/overview`,
  );
  await user.click(within(dialog).getByRole('button', { name: 'Copy token' }));
  expect(await navigator.clipboard.readText()).toBe(secret);
  await user.keyboard('{Escape}');
  within(dialog).getByText(secret);
  await user.click(within(dialog).getByRole('button', { name: 'I have copied it' }));
  await screen.findByText('…Zz19');
  expect(screen.queryByText(secret)).toBeNull();
});

test.each([
  ['0', false],
  ['366', false],
  ['365', true],
  ['', false],
])('a token with a lifetime of %j days is created: %s', async (days, valid) => {
  settingsApi();
  const create = counted(tokens.create, () => ({ ...tokenOf(), token: secret }));
  const { user } = visit('/dashboard/settings/tokens');
  await user.click(await screen.findByRole('button', { name: 'New token' }));
  await user.type(await screen.findByLabelText('Name'), 'CI');
  const field = screen.getByLabelText('Expires after (days)');
  await user.clear(field);
  if (days !== '') await user.type(field, days);
  await user.type(screen.getByLabelText('Your password'), 'right');
  await user.click(screen.getByRole('button', { name: 'Create token' }));
  if (valid) await screen.findByText(secret);
  else await screen.findByText('Enter 1 to 365 days.');
  expect(create.times).toBe(valid ? 1 : 0);
});

test('a token cannot have a higher role than its user', async () => {
  settingsApi({ role: 'analyst' });
  const { user } = visit('/dashboard/settings/tokens');
  await user.click(await screen.findByRole('button', { name: 'New token' }));
  const owner = await screen.findByRole('radio', { name: 'Owner' });
  expect(owner.getAttribute('aria-disabled')).toBe('true');
  screen.getByText('A token cannot have a higher role than you. You are an analyst.');
  expect(screen.getByRole('radio', { name: 'Analyst' }).getAttribute('aria-disabled')).not.toBe('true');
});

test('a viewer can revoke tokens but not create them, and sees why', async () => {
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
  await screen.findByText('Nightly upload revoked');
  await waitFor(() => expect(screen.queryByRole('rowheader')).toBeNull());
});

test('a token that could not be revoked stays in the list, with an error', async () => {
  const api = settingsApi();
  api.tokens = [tokenOf()];
  server.use(answer(tokens.revoke, () => refusal('unavailable')));
  const { user } = visit('/dashboard/settings/tokens');
  await user.click(await screen.findByRole('button', { name: 'Revoke Nightly upload' }));
  await user.click(await screen.findByRole('button', { name: 'Revoke' }));
  await screen.findByText('Failed to revoke the token');
  expect(await screen.findAllByRole('rowheader')).toHaveLength(1);
});
