import { emailChange, passwords, secondFactor, sessions } from '@riskboard/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { answerSignedOut } from '../../../testing/dashboard.ts';
import { answer, counted, refusal, server, useServer } from '../../../testing/server.ts';
import { sessionOf, settingsApi } from '../../../testing/settings.ts';
import { visit } from '../../../testing/render-app.tsx';
import { stateOfCheckbox } from '../../../testing/checkbox.ts';

useServer();

const codes = Array.from({ length: 10 }, (_, number) => `ABCD-EFGH-IJKL-MN${number + 10}`);

test('the password can be changed; errors are shown at their fields', async () => {
  settingsApi();
  const answers = [
    refusal('wrong_password'),
    refusal('invalid', 'Some fields are not valid.', [
      { path: 'password', message: 'This password is too common. Choose another.' },
    ]),
  ];
  const sent = vi.fn<(body: unknown) => void>();
  server.use(
    answer(passwords.change, async ({ request }) => {
      sent(await request.json());
      return answers.shift() ?? { success: true as const };
    }),
  );
  const { user } = visit('/dashboard/settings/security');
  const card = within(await screen.findByRole('region', { name: 'Password' }));
  const current = card.getByLabelText('Current password');
  const next = card.getByLabelText('New password');
  const button = card.getByRole('button', { name: 'Change password' });
  expect(button.getAttribute('aria-disabled')).toBe('true');

  await user.type(current, 'what it was');
  await user.type(next, 'short{Enter}');
  await card.findByText('Use at least 12 characters.');
  expect(sent).not.toHaveBeenCalled();
  expect(document.activeElement).toBe(next);

  await user.type(next, ' but longer now{Enter}');
  await card.findByText('Incorrect password.');
  expect(current.getAttribute('aria-invalid')).toBe('true');
  expect(next.getAttribute('aria-invalid')).not.toBe('true');
  await user.click(button);
  await card.findByText('This password is too common. Choose another.');
  expect(card.getByText('Not accepted')).toBeDefined();
  await user.click(button);
  await screen.findByText('Password changed');
  expect(sent).toHaveBeenLastCalledWith({
    current: 'what it was',
    password: 'short but longer now',
    revokeTokens: true,
  });
  expect(current.getAttribute('value')).toBe('');
});

test('setting up a second factor takes the password, a code of the app, and stored recovery codes', async () => {
  const api = settingsApi();
  const confirmed = vi.fn<(body: unknown) => void>();
  server.use(
    answer(secondFactor.begin, async ({ request }) => {
      const { password } = (await request.json()) as { password: string };
      if (password !== 'right') return refusal('wrong_password');
      return { secret: 'JBSWY3DPEHPK3PXP', uri: 'otpauth://totp/Riskboard:ada?secret=JBSWY3DPEHPK3PXP' };
    }),
    answer(secondFactor.confirm, async ({ request }) => {
      const body = await request.json();
      confirmed(body);
      if (confirmed.mock.calls.length === 1) {
        return refusal('invalid', 'Some fields are not valid.', [
          { path: 'code', message: 'Invalid code. Enter the next one from your app.' },
        ]);
      }
      api.secured = true;
      api.user = { ...api.user, secondFactor: true };
      return { recoveryCodes: codes };
    }),
  );
  const { user } = visit('/dashboard/settings/security');
  await user.click(await screen.findByRole('button', { name: 'Set up' }));
  const password = await screen.findByLabelText('Your password');
  await waitFor(() => expect(document.activeElement).toBe(password));
  await user.type(password, 'wrong{Enter}');
  await screen.findByText('Incorrect password.');
  await user.clear(password);
  await user.type(password, 'right{Enter}');

  const app = await screen.findByRole('dialog', { name: 'Add Riskboard to your authenticator app' });
  within(app).getByRole('img', { name: 'QR code for your authenticator app' });
  within(app).getByText('JBSW Y3DP EHPK 3PXP');
  const code = within(app).getByLabelText('Code from the app');
  await user.type(code, '12{Enter}');
  await screen.findByText('Enter the six digits of your authenticator app.');
  await user.clear(code);
  await user.type(code, '123 456{Enter}');
  await screen.findByText('Invalid code. Enter the next one from your app.');
  expect(confirmed).toHaveBeenCalledExactlyOnceWith({ code: '123456' });
  await user.click(within(app).getByRole('button', { name: 'Turn on' }));

  const stored = await screen.findByRole('dialog', { name: 'Store your recovery codes' });
  for (const each of codes) within(stored).getByText(each);
  await user.keyboard('{Escape}');
  const done = () => within(stored).getByRole('button', { name: 'Done' });
  await user.click(done());
  expect(screen.getByRole('dialog', { name: 'Store your recovery codes' })).toBe(stored);
  await user.click(within(stored).getByRole('checkbox', { name: 'I have stored these codes safely' }));
  await user.click(done());
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await screen.findByText('10 recovery codes left.');
});

test('recovery codes can be copied and downloaded as a text file', async () => {
  settingsApi({ secondFactor: true });
  const saved: Blob[] = [];
  URL.revokeObjectURL = () => undefined;
  URL.createObjectURL = (content) => {
    saved.push(content as Blob);
    return 'blob:1';
  };
  const names = vi.fn<(name: string) => void>();
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(this: HTMLAnchorElement) {
    names(this.download);
  });
  server.use(answer(secondFactor.newRecoveryCodes, () => ({ recoveryCodes: codes })));
  const { user } = visit('/dashboard/settings/security');
  await user.click(await screen.findByRole('button', { name: 'Create new recovery codes' }));
  await user.type(await screen.findByLabelText('Your password'), 'right');
  await user.type(within(screen.getByRole('dialog')).getByLabelText('Authenticator code'), '123456');
  await user.click(screen.getByRole('button', { name: 'Create new codes' }));
  await screen.findByRole('dialog', { name: 'Store your recovery codes' });
  await user.click(screen.getByRole('button', { name: 'Copy codes' }));
  await screen.findByRole('button', { name: 'Copied' });
  expect(await navigator.clipboard.readText()).toBe(codes.join('\n'));
  await user.click(screen.getByRole('button', { name: 'Download as text' }));
  expect(names).toHaveBeenCalledExactlyOnceWith('riskboard-recovery-codes.txt');
  expect(await saved[0]?.text()).toContain(codes.join('\n'));
});

test('the second factor can be turned off with the password and a code', async () => {
  const api = settingsApi({ secondFactor: true });
  server.use(
    answer(secondFactor.disable, async ({ request }) => {
      const { code } = (await request.json()) as { code: string };
      const message = 'Invalid code. Enter the next one from your app.';
      if (code !== '123456') return refusal('wrong_code', message, [{ path: 'code', message }]);
      api.secured = false;
      return { success: true as const };
    }),
  );
  const { user } = visit('/dashboard/settings/security');
  await user.click(await screen.findByRole('button', { name: 'Turn off' }));
  const dialog = await screen.findByRole('dialog', { name: 'Turn off the second factor?' });
  await user.type(within(dialog).getByLabelText('Your password'), 'right');
  const code = within(dialog).getByLabelText('Authenticator code');
  await user.type(code, '654321');
  await user.click(within(dialog).getByRole('button', { name: 'Turn off' }));
  await within(dialog).findByText('Invalid code. Enter the next one from your app.');
  expect(code.getAttribute('aria-invalid')).toBe('true');
  await user.clear(code);
  await user.type(code, '123456');
  await user.click(within(dialog).getByRole('button', { name: 'Turn off' }));
  await screen.findByText('Second factor turned off');
  await screen.findByRole('button', { name: 'Set up' });
  expect(screen.queryByRole('button', { name: 'Turn off' })).toBeNull();
});

test('a required second factor cannot be turned off, and the reason is shown', async () => {
  settingsApi({ secondFactor: true, secondFactorRequired: true });
  const { user } = visit('/dashboard/settings/security');
  const off = await screen.findByRole('button', { name: 'Turn off' });
  expect(off.getAttribute('aria-disabled')).toBe('true');
  off.focus();
  await user.hover(off);
  await screen.findByText('One of your organizations requires a second factor for all members.');
  await user.click(off);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('sessions show device and address; another session can be ended, the current one not', async () => {
  const api = settingsApi();
  const other = sessionOf({ userAgent: 'curl/8.14.1', address: '198.51.100.4' });
  api.sessions = [sessionOf({ current: true }), other];
  server.use(
    answer(sessions.end, async ({ params, request }) => {
      expect(params['id']).toBe(other._id);
      const { password } = (await request.json()) as { password: string };
      if (password !== 'right') return refusal('wrong_password');
      api.sessions = api.sessions.filter(({ current }) => current);
      return { success: true as const, _id: other._id, id: other._id };
    }),
  );
  const { user } = visit('/dashboard/settings/security');
  const card = within(await screen.findByRole('region', { name: 'Active sessions' }));
  await card.findByText('Firefox on Windows');
  card.getByText('This session');
  card.getByText(/198\.51\.100\.4/u);
  const [end, ...more] = card.getAllByRole('button', { name: /^End session/u });
  expect(more).toEqual([]);
  await user.click(end as HTMLElement);
  const question = within(await screen.findByRole('dialog', { name: 'End this session?' }));
  await user.type(question.getByLabelText('Your password'), 'wrong{Enter}');
  await question.findByText('Incorrect password.');
  await user.clear(question.getByLabelText('Your password'));
  await user.type(question.getByLabelText('Your password'), 'right{Enter}');
  await screen.findByText('Session ended');
  await waitFor(() => expect(card.queryByText('curl')).toBeNull());
});

test('"Log out everywhere" asks for the password, revokes tokens unless deselected, and opens the login page', async () => {
  settingsApi();
  const endAll = counted(sessions.endAll, async ({ request }) => {
    expect(await request.json()).toEqual({ password: 'right', revokeTokens: false });
    answerSignedOut();
    return { success: true as const, ended: 3, tokensRevoked: 0 };
  });
  const { user, router } = visit('/dashboard/settings/security');
  await user.click(await screen.findByRole('button', { name: 'Log out everywhere' }));
  const question = await screen.findByRole('dialog', { name: 'Log out everywhere?' });
  await user.click(within(question).getByRole('button', { name: 'Log out everywhere' }));
  await within(question).findByText('Enter your password.');
  expect(endAll.times).toBe(0);
  const revoke = within(question).getByRole('checkbox', { name: 'Also revoke all my API tokens' });
  expect(stateOfCheckbox(revoke)).toBe('checked');
  await user.click(revoke);
  await user.type(within(question).getByLabelText('Your password'), 'right');
  await user.click(within(question).getByRole('button', { name: 'Log out everywhere' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
  expect(endAll.times).toBe(1);
});

test('a second factor cannot be set up before the address is confirmed, and the link can be sent again', async () => {
  const api = settingsApi();
  api.confirmed = false;
  const resend = counted(emailChange.verify, () => ({ message: 'Sent.' }));
  const { user } = visit('/dashboard/settings/security');
  await screen.findByText(/is not confirmed yet/u);
  const setUp = screen.getByRole('button', { name: 'Set up' });
  expect(setUp.getAttribute('aria-disabled')).toBe('true');
  await user.click(screen.getByRole('button', { name: 'Send the link again' }));
  await screen.findByText('Confirmation link sent');
  expect(resend.times).toBe(1);
  await user.click(setUp);
  expect(screen.queryByRole('dialog', { name: 'Set up a second factor' })).toBeNull();
});
