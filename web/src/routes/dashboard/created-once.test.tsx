import { threats, type ThreatDetail } from '@riskboard/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { afterEach, describe, expect, it, vi } from 'vitest';
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
  const keys: (string | null)[] = [];
  server.use(
    answer(threats.list, ({ url }) => {
      const { rows, ...page } = pageOf([threatOf({ name: 'One' })], url);
      return { threats: rows, ...page };
    }),
    answer(threats.metrics, () => ({ total: 1, active: 1, critical: 0, high: 0 })),
    answer(threats.create, async ({ request }) => {
      created.push(await request.json());
      keys.push(request.headers.get('idempotency-key'));
      return reply();
    }),
  );
  const { router, user } = visit('/dashboard/threats/new');
  await fill(user, await screen.findByRole('textbox', { name: 'Name' }), 'Ransomware');
  await fill(user, screen.getByRole('textbox', { name: 'Description' }), 'Encrypts the disks.');
  const leaving = Promise.withResolvers<void>();
  vi.spyOn(router, 'navigate').mockReturnValueOnce(leaving.promise);
  return { router, user, created, keys, endLeaving: () => act(async () => leaving.resolve()) };
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

describe('a new record without an answer of the server', () => {
  /** The form of a new threat; `replies` are those to Create, in order. */
  async function send(...replies: (ThreatDetail | Response)[]) {
    const opened = await open(() => replies.shift() ?? HttpResponse.error());
    vi.mocked(opened.router.navigate).mockRestore();
    const changes: unknown[] = [];
    server.use(
      answer(threats.update, async ({ request }) => {
        changes.push([await request.json(), request.headers.get('if-match')]);
        return threatDetailOf({ name: 'Extortion', version: 4 });
      }),
    );
    await create(opened.user);
    return { ...opened, changes };
  }

  it('says that it may exist, and a retry sends the same key and then what was changed since', async () => {
    const { user, keys, changes } = await send(HttpResponse.error(), threatDetailOf({ version: 3 }));
    await screen.findByText('Error: Failed to create threat. Please try again.');
    const message =
      'No answer arrived: the threat may have been created. You can safely try again, it is created only once.';
    expect(
      within(await screen.findByRole('region', { name: 'There is a problem' })).getByText(message),
    ).toBeDefined();
    await fill(user, name(), 'Extortion');
    await create(user);
    await screen.findByText('Threat created');
    expect(keys[0]).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/u);
    expect(keys).toEqual([keys[0], keys[0]]);
    expect(changes).toEqual([[{ name: 'Extortion' }, '"3"']]);
  });

  it.each([500, 502, 504])('is not said to be without an answer when %i arrived', async (status) => {
    const { user, keys } = await send(new HttpResponse(null, { status }), threatDetailOf());
    const message =
      'The server failed: the threat may have been created. You can safely try again, it is created only once.';
    const summary = await screen.findByRole('region', { name: 'There is a problem' });
    expect(within(summary).getByText(message)).toBeDefined();
    await create(user);
    await screen.findByText('Threat created');
    expect(keys).toEqual([keys[0], keys[0]]);
  });

  it('is not changed by a retry with the same input', async () => {
    const { user, changes } = await send(HttpResponse.error(), threatDetailOf());
    await screen.findByRole('region', { name: 'There is a problem' });
    await create(user);
    await screen.findByText('Threat created');
    expect(changes).toEqual([]);
  });

  it('gets a new key when the record was created and deleted since', async () => {
    const { user, keys } = await send(
      HttpResponse.error(),
      refusal('conflict', 'Deleted since.'),
      threatDetailOf(),
    );
    await screen.findByRole('region', { name: 'There is a problem' });
    await create(user);
    await screen.findAllByText('Deleted since.');
    await screen.findByRole('region', { name: 'There is a problem' });
    await create(user);
    await screen.findByText('Threat created');
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
  });
});
