import { webhookDeliveries, webhooks } from '@riskboard/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { alertsApi, deliveryOf, webhookOf } from '../../../testing/alerts.ts';
import { fill, visit } from '../../../testing/render-app.tsx';
import { answer, counted, refusal, server, useServer } from '../../../testing/server.ts';
import { deliveryTitle } from './delivery-texts.ts';

useServer();

const list = '/dashboard/settings/webhooks';
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** An API with one webhook, and the address of its page. */
function oneWebhook(change: Parameters<typeof webhookOf>[0] = {}) {
  const api = alertsApi();
  const webhook = webhookOf(change);
  api.webhooks = [webhook];
  return { api, webhook, page: `${list}/${webhook._id}` };
}

test('the list shows address, state and last delivery of each webhook', async () => {
  const api = alertsApi();
  api.webhooks = [
    webhookOf({ lastDelivery: { state: 'delivered', at: '2026-11-20T10:00:00.000Z', statusCode: 200 } }),
    webhookOf({ name: 'Failing one', failingSince: '2026-11-20T10:00:00.000Z' }),
    webhookOf({ name: 'Old one', enabled: false, disabledReason: 'gone' }),
  ];
  visit(list);
  await screen.findByRole('link', { name: 'Old one' });
  const [, good, failing, old] = screen.getAllByRole('row');
  within(good as HTMLElement).getByText('https://example.org/hook');
  within(good as HTMLElement).getByText('Enabled');
  within(good as HTMLElement).getByText('Delivered');
  within(failing as HTMLElement).getByText('Failing');
  expect(within(old as HTMLElement).getByText('Disabled')).toBeTruthy();
});

test('a new webhook shows its secret once, with a button to copy it', async () => {
  const api = alertsApi();
  const sent = vi.fn<(body: unknown) => void>();
  server.use(
    answer(webhooks.create, async ({ request }) => {
      sent(await request.json());
      const webhook = webhookOf({ secretHint: 'LaSw' });
      api.webhooks = [webhook];
      return { ...webhook, secret };
    }),
  );
  const { user } = visit(list);
  await screen.findByText('No webhooks yet.');
  await user.click(screen.getByRole('button', { name: 'New webhook' }));
  await user.click(await screen.findByRole('button', { name: 'Create webhook' }));
  await screen.findByText('Enter an address.');
  await fill(user, screen.getByLabelText('Name'), 'Security chat');
  await fill(user, screen.getByLabelText('Address'), 'https://example.org/hook');
  await user.click(screen.getByRole('button', { name: 'Create webhook' }));
  const dialog = await screen.findByRole('dialog', { name: 'Secret of Security chat' });
  expect(sent).toHaveBeenCalledExactlyOnceWith({ name: 'Security chat', url: 'https://example.org/hook' });
  within(dialog).getByText(secret);
  await user.click(within(dialog).getByRole('button', { name: 'Copy secret' }));
  expect(await navigator.clipboard.readText()).toBe(secret);
  await user.keyboard('{Escape}');
  within(dialog).getByText(secret);
  await user.click(within(dialog).getByRole('button', { name: 'I have copied it' }));
  await screen.findByRole('link', { name: 'Security chat' });
  expect(screen.queryByText(secret)).toBeNull();
});

test.each(['Addresses of private networks are not allowed here.', 'The address must start with https://.'])(
  'a refused address shows the reason at its field: %s',
  async (message) => {
    alertsApi();
    server.use(answer(webhooks.create, () => refusal('invalid', message, [{ path: 'url', message }])));
    const { user } = visit(list);
    await user.click(await screen.findByRole('button', { name: 'New webhook' }));
    await fill(user, await screen.findByLabelText('Name'), 'Router');
    await fill(user, screen.getByLabelText('Address'), 'http://192.168.0.1/');
    await user.click(screen.getByRole('button', { name: 'Create webhook' }));
    await screen.findByText(message);
    expect(screen.getByLabelText('Address').getAttribute('aria-invalid')).toBe('true');
  },
);

test('an edit sends only what was changed, with the version', async () => {
  const { webhook, page } = oneWebhook({ version: 2 });
  const sent = vi.fn<(version: string | null, body: unknown) => void>();
  server.use(
    answer(webhooks.update, async ({ request }) => {
      sent(request.headers.get('if-match'), await request.json());
      return { ...webhook, name: 'Chat' };
    }),
  );
  const { user } = visit(page);
  await user.click(await screen.findByRole('button', { name: 'Edit' }));
  await fill(user, await screen.findByLabelText('Name'), 'Chat');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Webhook saved');
  expect(sent).toHaveBeenCalledExactlyOnceWith('"2"', { name: 'Chat' });
});

test('a rotation explains the overlap, and shows the new secret once', async () => {
  const { webhook, page } = oneWebhook();
  const sent = vi.fn<(body: unknown) => void>();
  server.use(
    answer(webhooks.rotateSecret, async ({ request }) => {
      sent(await request.json());
      return { ...webhook, previousSecretUntil: '2026-11-24T10:00:00.000Z', secret };
    }),
  );
  const { user } = visit(page);
  await user.click(await screen.findByRole('button', { name: 'Rotate secret' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Rotate the secret of Security chat?' }));
  dialog.getByText(/signed with the old and the new secret during the overlap/u);
  await fill(user, dialog.getByLabelText('Overlap in hours'), '200');
  await user.click(dialog.getByRole('button', { name: 'Rotate secret' }));
  await dialog.findByText('Enter 0 to 168 hours.');
  await fill(user, dialog.getByLabelText('Overlap in hours'), '48');
  await user.click(dialog.getByRole('button', { name: 'Rotate secret' }));
  await screen.findByText(secret);
  screen.getByText(/Messages are also signed with a previous secret until/u);
  expect(sent).toHaveBeenCalledExactlyOnceWith({ overlapHours: 48 });
});

test('a rotation during the overlap of another one says which secret stops signing', async () => {
  const { webhook, page } = oneWebhook({
    previousSecretUntil: new Date(Date.now() + 3_600_000).toISOString(),
  });
  const { user } = visit(page);
  await user.click(await screen.findByRole('button', { name: 'Rotate secret' }));
  const dialog = within(await screen.findByRole('dialog', { name: `Rotate the secret of ${webhook.name}?` }));
  dialog.getByText(/also after this rotation\. The current secret, which ends in x9Qz, is replaced/u);
  expect(dialog.getByText(/With 0 the earlier secret stops signing immediately, too/u).textContent).toContain(
    'any other number leaves its end as it is',
  );
});

test('a test message shows its result as soon as it is known', async () => {
  const { webhook, page } = oneWebhook();
  const waiting = deliveryOf({
    webhookId: webhook._id,
    type: 'webhook.test',
    alert: null,
    alertId: null,
    state: 'waiting',
    attempts: 0,
    statusCode: null,
    durationMs: null,
  });
  let delivery = waiting;
  server.use(
    answer(webhooks.test, () => ({ deliveryId: waiting._id, message: 'Test requested' })),
    answer(webhookDeliveries.get, () => ({ ...delivery, log: [], payload: '{}' })),
  );
  const { user } = visit(page);
  await user.click(await screen.findByRole('button', { name: 'Send test' }));
  await screen.findByText('Sending the test …');
  delivery = { ...waiting, attempts: 1, statusCode: 503, durationMs: 1500, error: 'The receiver failed.' };
  expect(await screen.findByText('Status 503 after 1.5 s: The receiver failed.')).toBeTruthy();
});

test('the delivery log names the next attempt, and its columns fit the narrowest list that shows all of them', async () => {
  const { api, webhook, page } = oneWebhook();
  const nextAttemptAt = new Date(Date.now() + 250_000).toISOString();
  api.deliveries = [deliveryOf({ webhookId: webhook._id, state: 'waiting', nextAttemptAt })];
  visit(page);
  const table = await screen.findByRole('table', { name: 'Deliveries' });
  expect((await within(table).findByText(/^Next attempt/u)).textContent).toBe('Next attempt in 4 minutes');
  expect(parseInt(table.style.getPropertyValue('--least-md').replace('calc(', ''), 10)).toBeLessThanOrEqual(
    704,
  );
});

test.each([
  ['owner', /An owner disabled it/u],
  ['gone', /The address replied 410/u],
  ['failing', /No delivery succeeded for several days/u],
] as const)('a webhook that is disabled for the reason %s shows it', async (disabledReason, text) => {
  const { page } = oneWebhook({ enabled: false, disabledReason });
  visit(page);
  expect(await screen.findByText(text)).toBeTruthy();
});

test('a disabled webhook sends no test, and is enabled again', async () => {
  const { api, webhook, page } = oneWebhook({ enabled: false, disabledReason: 'failing' });
  server.use(
    answer(webhooks.update, async ({ request }) => {
      const { enabled } = (await request.json()) as { enabled: boolean };
      api.webhooks = [{ ...webhook, enabled, disabledReason: null }];
      return api.webhooks[0];
    }),
  );
  const { user } = visit(page);
  await screen.findByText(/No delivery succeeded for several days/u);
  expect(screen.getByRole('button', { name: 'Send test' }).getAttribute('aria-disabled')).toBe('true');
  await user.click(screen.getByRole('button', { name: 'Enable' }));
  await screen.findByRole('button', { name: 'Disable' });
  expect(screen.queryByText(/No delivery succeeded/u)).toBeNull();
});

test('a webhook is deleted after a confirmation', async () => {
  const { api, page } = oneWebhook();
  server.use(
    answer(webhooks.delete, ({ params }) => {
      api.webhooks = [];
      return { success: true as const, _id: String(params['id']), id: String(params['id']) };
    }),
  );
  const { user, router } = visit(page);
  await user.click(await screen.findByRole('button', { name: 'Delete' }));
  const question = await screen.findByRole('alertdialog', { name: 'Delete Security chat?' });
  await user.click(within(question).getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(router.state.location.pathname).toBe(list));
  await screen.findByText('No webhooks yet.');
});

test('the delivery log shows state, attempts, next attempt, status, duration and error, and retries', async () => {
  const { api, page } = oneWebhook();
  api.deliveries = [
    deliveryOf({
      state: 'waiting',
      attempts: 3,
      statusCode: 500,
      durationMs: 2000,
      error: 'The receiver replied with status 500.',
      nextAttemptAt: '2026-11-20T11:00:00.000Z',
    }),
    deliveryOf({ alert: 'Asset at risk: Crane' }),
  ];
  const retry = counted(webhookDeliveries.retry, () => deliveryOf({ state: 'waiting' }));
  const { user } = visit(page);
  const log = within(await screen.findByRole('table', { name: 'Deliveries' }));
  const row = within((await log.findByText('Waiting')).closest('tr') as HTMLElement);
  row.getByText('3');
  row.getByText('500');
  row.getByText('2.0 s');
  row.getByText('The receiver replied with status 500.');
  expect(row.getAllByRole('time')).toHaveLength(2);
  expect(log.queryByRole('button', { name: 'Retry Asset at risk: Crane' })).toBeNull();
  await user.click(row.getByRole('button', { name: /^Retry New critical/u }));
  await screen.findByText('The message is sent again');
  expect(retry.times).toBe(1);
});

test('the delivery log is filtered by state', async () => {
  const { api, page } = oneWebhook();
  api.deliveries = [deliveryOf({ state: 'failed' }), deliveryOf({ alert: 'Asset at risk: Crane' })];
  const { user } = visit(page);
  await screen.findByText('Asset at risk: Crane');
  await user.click(screen.getByRole('combobox', { name: /State/u }));
  await user.click(await screen.findByRole('option', { name: 'Failed' }));
  await waitFor(() => expect(screen.queryByText('Asset at risk: Crane')).toBeNull());
  screen.getByRole('button', { name: /^Retry New critical/u });
});

test('a delivery opens its attempts and its message', async () => {
  const { api, page } = oneWebhook();
  const delivery = deliveryOf();
  api.deliveries = [delivery];
  server.use(
    answer(webhookDeliveries.get, () => ({
      ...delivery,
      payload: '{"type":"alert.created"}',
      log: [
        { at: '2026-11-20T10:00:00.000Z', statusCode: null, durationMs: 10_000, error: 'No reply in time.' },
        { at: '2026-11-20T10:05:00.000Z', statusCode: 200, durationMs: 80, error: null },
      ],
    })),
  );
  const { user } = visit(page);
  await user.click(await screen.findByRole('button', { name: deliveryTitle(delivery) }));
  const dialog = within(await screen.findByRole('dialog', { name: deliveryTitle(delivery) }));
  await dialog.findByText('No reply after 10.0 s: No reply in time.');
  dialog.getByText('Status 200 after 80 ms');
  expect(dialog.getByText('{"type":"alert.created"}')).toBeTruthy();
});

test.each(['viewer', 'analyst'] as const)('a %s sees that only owners manage webhooks', async (role) => {
  alertsApi({ role });
  const requests = counted(webhooks.list, () => ({ webhooks: [], total: 0, privateAllowed: false }));
  visit(list);
  await screen.findByText('Only owners can manage webhooks');
  expect(screen.queryByRole('button', { name: 'New webhook' })).toBeNull();
  expect(requests.times).toBe(0);
});

test('an unknown webhook leads back to the list', async () => {
  const { page } = oneWebhook();
  visit(`${page.slice(0, -1)}f`);
  await screen.findByText('This webhook does not exist.');
  expect(screen.getByRole('link', { name: 'Show all webhooks' }).getAttribute('href')).toBe(list);
});
