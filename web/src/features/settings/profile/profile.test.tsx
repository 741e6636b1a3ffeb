import { accounts, emailChange } from '@riskboard/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { answer, refusal, server, useServer } from '../../../testing/server.ts';
import { settingsApi } from '../../../testing/settings.ts';
import { stubSockets } from '../../../testing/fake-socket.ts';
import { visit } from '../../../testing/render-app.tsx';

useServer();

const firstName = () => screen.findByRole<HTMLInputElement>('textbox', { name: 'First name' });

test('the settings start with the profile: name, email address and role', async () => {
  settingsApi({ role: 'analyst' });
  const { router } = visit('/dashboard/settings');
  expect((await firstName()).value).toBe('Ada');
  expect(router.state.location.pathname).toBe('/dashboard/settings/profile');
  const page = within(screen.getByRole('region', { name: 'Profile' }));
  page.getByText('ada@example.org');
  page.getByText(/^Analyst: /u);
  const tabs = within(screen.getByRole('navigation', { name: 'Settings' }));
  expect(tabs.getByRole('link', { current: 'page' }).textContent).toBe('Profile');
  // The main navigation marks the settings as a whole.
  const rail = within(screen.getByRole('navigation', { name: 'Main' }));
  expect(rail.getByRole('link', { current: true }).textContent).toBe('Settings');
});

test('a new name is saved and shown in the top bar', async () => {
  const api = settingsApi();
  const sent = vi.fn<(body: unknown) => void>();
  server.use(
    answer(accounts.updateMe, async ({ request }) => {
      sent(await request.json());
      api.user = { ...api.user, firstName: 'Augusta' };
      return { user: api.user };
    }),
  );
  const { user } = visit('/dashboard/settings/profile');
  expect((await screen.findByRole('button', { name: 'Save' })).getAttribute('aria-disabled')).toBe('true');
  await user.clear(await firstName());
  await user.type(await firstName(), 'Augusta{Enter}');
  await screen.findByText('Profile saved');
  expect(sent).toHaveBeenCalledExactlyOnceWith({ firstName: 'Augusta', lastName: 'Lovelace' });
  await screen.findByText('Hello, Augusta');
  expect(screen.getByRole('button', { name: 'Save' }).getAttribute('aria-disabled')).toBe('true');
});

test('the name is read-only while it is being saved', async () => {
  const api = settingsApi();
  const held = Promise.withResolvers<void>();
  server.use(
    answer(accounts.updateMe, async () => {
      await held.promise;
      api.user = { ...api.user, firstName: 'Augusta' };
      return { user: api.user };
    }),
  );
  const { user } = visit('/dashboard/settings/profile');
  const input = await firstName();
  await user.clear(input);
  await user.type(input, 'Augusta{Enter}');
  await waitFor(() => expect(input.readOnly).toBe(true));
  await user.type(input, ' Ada');
  expect(input.value).toBe('Augusta');
  held.resolve();
  await screen.findByText('Profile saved');
  expect(input.readOnly).toBe(false);
});

test('an invalid name is shown at its field, whether the form or the server refuses it', async () => {
  settingsApi();
  server.use(
    answer(accounts.updateMe, () =>
      refusal('invalid', 'Some fields are not valid.', [
        { path: 'lastName', message: 'This name is not possible.' },
      ]),
    ),
  );
  const { user } = visit('/dashboard/settings/profile');
  await user.clear(await firstName());
  await user.keyboard('{Enter}');
  await screen.findByText('Enter your first name.');
  expect(document.activeElement).toBe(await firstName());
  await user.type(await firstName(), 'Bea{Enter}');
  await screen.findByText('This name is not possible.');
  expect(screen.queryByText('Enter your first name.')).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: /^Last name/u }));
});

test('leaving the profile with unsaved changes asks for confirmation', async () => {
  settingsApi();
  const { user, router } = visit('/dashboard/settings/profile');
  await user.type(await firstName(), ' Augusta');
  await user.click(screen.getByRole('link', { name: 'Security' }));
  const question = await screen.findByRole('alertdialog', { name: 'Leave without saving?' });
  await user.click(within(question).getByRole('button', { name: 'Keep editing' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(router.state.location.pathname).toBe('/dashboard/settings/profile');
  expect((await firstName()).value).toBe('Ada Augusta');

  await user.click(screen.getByRole('link', { name: 'Security' }));
  await user.click(await screen.findByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard/settings/security'));
});

test('switching the organization opens its dashboard; a refused switch stays on the profile', async () => {
  const api = settingsApi();
  const other = '0199f000-0000-7000-8000-0000000000b2';
  let refused = true;
  server.use(
    answer(accounts.memberships, () => ({
      memberships: [
        {
          organizationId: api.user.organizationId,
          organization: api.user.organization,
          role: 'owner' as const,
          current: true,
        },
        { organizationId: other, organization: '', role: 'viewer' as const, current: false },
      ],
    })),
    answer(accounts.switchOrganization, async ({ request }) => {
      expect(await request.json()).toEqual({ organizationId: other });
      if (refused) return refusal('not_found', 'You are no longer a member there.');
      api.user = { ...api.user, organizationId: other, organization: '', role: 'viewer' };
      return { user: api.user };
    }),
  );
  const { user, router } = visit('/dashboard/settings/profile');
  await user.click(await screen.findByRole('button', { name: 'Switch to Organization not set' }));
  await screen.findByText('You are no longer a member there.');
  expect(router.state.location.pathname).toBe('/dashboard/settings/profile');
  refused = false;
  await user.click(screen.getByRole('button', { name: 'Switch to Organization not set' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard'));
});

test('an organization list that failed to load can be retried', async () => {
  settingsApi();
  // A socket that opens refetches, which would be the retry.
  stubSockets();
  server.use(answer(accounts.memberships, () => refusal('malformed', 'Temporarily unavailable.')));
  const { user } = visit('/dashboard/settings/profile');
  await screen.findByText('Failed to load your organizations.');
  server.use(
    answer(accounts.memberships, () => ({
      memberships: [
        {
          organizationId: '0199f000-0000-7000-8000-0000000000b2',
          organization: 'Ferry Lines',
          role: 'viewer' as const,
          current: true,
        },
      ],
    })),
  );
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await screen.findByText('Ferry Lines');
  expect(screen.queryByText('Failed to load your organizations.')).toBeNull();
});

test('a new email address is requested with the password; errors are shown at their fields', async () => {
  settingsApi();
  const message = 'We sent a confirmation link to the new address. Your address changes when you open it.';
  const answers = [
    refusal('wrong_password'),
    refusal('invalid', 'Some fields are not valid.', [
      { path: 'email', message: 'This is already your email address.' },
    ]),
  ];
  const sent = vi.fn<(body: unknown) => void>();
  server.use(
    answer(emailChange.ask, async ({ request }) => {
      sent(await request.json());
      return answers.shift() ?? { message };
    }),
  );
  const { user } = visit('/dashboard/settings/profile');
  const card = within(await screen.findByRole('region', { name: 'Change email address' }));
  const email = card.getByLabelText('New email address');
  const button = card.getByRole('button', { name: 'Send confirmation link' });
  expect(button.getAttribute('aria-disabled')).toBe('true');
  await user.type(email, 'augusta');
  await user.type(card.getByLabelText('Current password'), 'right{Enter}');
  await card.findByText('Enter a valid email address.');
  expect(sent).not.toHaveBeenCalled();
  await user.type(email, '@example.org{Enter}');
  await card.findByText('Incorrect password.');
  await user.click(button);
  await card.findByText('This is already your email address.');
  expect(card.queryByText(message)).toBeNull();
  await user.click(button);
  await card.findByText(message);
  expect(sent).toHaveBeenLastCalledWith({ email: 'augusta@example.org', password: 'right' });
  expect(email.getAttribute('value')).toBe('');
});
