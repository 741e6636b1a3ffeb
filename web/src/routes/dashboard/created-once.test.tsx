import { threats, type ThreatDetail } from '@riskboard/contract';
import { act, screen, waitFor } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { fakeApi, pageOf } from '../../testing/fake-api.ts';
import { threatDetailOf } from '../../testing/records.ts';
import { fill, visit } from '../../testing/render-app.tsx';
import { threatOf } from '../../testing/rows.ts';
import { answer, refusal, server, useServer } from '../../testing/server.ts';
import { toastManager } from '../../ui/feedback/toast.ts';

useServer();
vi.setConfig({ testTimeout: 20_000 });
afterEach(() => toastManager.close());

/** The form of a new threat, whose page is not left at once: `endLeaving` ends the navigation, which another one replaced. */
async function open(reply: () => ThreatDetail | Response = () => threatDetailOf({ name: 'Ransomware' })) {
  fakeApi();
  const created: unknown[] = [];
  server.use(
    answer(threats.list, ({ url }) => {
      const { rows, ...page } = pageOf([threatOf({ name: 'One' })], url);
      return { threats: rows, ...page };
    }),
    answer(threats.metrics, () => ({ total: 1, active: 1, critical: 0, high: 0 })),
    answer(threats.create, async ({ request }) => {
      created.push(await request.json());
      return reply();
    }),
  );
  const { router, user } = visit('/dashboard/threats/new');
  await fill(user, await screen.findByRole('textbox', { name: 'Name' }), 'Ransomware');
  await fill(user, screen.getByRole('textbox', { name: 'Description' }), 'Encrypts the disks.');
  const leaving = Promise.withResolvers<void>();
  vi.spyOn(router, 'navigate').mockReturnValueOnce(leaving.promise);
  return { user, created, endLeaving: () => act(async () => leaving.resolve()) };
}

const name = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' });
const create = (user: UserEvent) => user.click(screen.getByRole('button', { name: 'Create' }));

it('creates one record for several clicks and Enter keys while the page of the form is left', async () => {
  const { user, created } = await open();
  await create(user);
  await create(user);
  await user.type(name(), '{Enter>5/}');
  await screen.findByText('Threat created');
  await create(user);
  expect(created).toHaveLength(1);
});

it('shows a refusal in the form of which the page was not left yet, and sends the corrected input', async () => {
  const refusals = [refusal('invalid', 'Some fields are not valid.', [{ path: 'name', message: 'Taken.' }])];
  const { user, created, endLeaving } = await open(() => refusals.pop() ?? threatDetailOf({}));
  await create(user);
  await user.click(await screen.findByRole('button', { name: 'Back to the form' }));
  await screen.findByRole('link', { name: 'Name: Taken.' });
  await endLeaving();
  await fill(user, name(), 'Extortion');
  await create(user);
  await screen.findByText('Threat created');
  expect(created).toMatchObject([{ name: 'Ransomware' }, { name: 'Extortion' }]);
});

it('starts over when the form of another new record is opened while the page is left', async () => {
  const { user, created, endLeaving } = await open();
  await create(user);
  await screen.findByText('Threat created');
  await endLeaving();
  await waitFor(() => expect(name().value).toBe(''));
  await fill(user, name(), 'Phishing');
  await fill(user, screen.getByRole('textbox', { name: 'Description' }), 'Asks for passwords.');
  await create(user);
  await waitFor(() => expect(created).toMatchObject([{ name: 'Ransomware' }, { name: 'Phishing' }]));
});
