import { accounts, type AlertRule, alertRules } from '@riskboard/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { alertsApi, ruleOf, webhookOf } from '../../../testing/alerts.ts';
import { fill, visit } from '../../../testing/render-app.tsx';
import { newId, userOf } from '../../../testing/rows.ts';
import { answer, refusal, server, useServer } from '../../../testing/server.ts';
import { presets } from './presets.ts';

useServer();

const page = '/dashboard/settings/alerts';

/** Answers the creation of rules and returns the bodies that were sent. */
function creations(api: ReturnType<typeof alertsApi>) {
  const sent = vi.fn<(body: unknown) => void>();
  server.use(
    answer(alertRules.create, async ({ request }) => {
      const body = (await request.json()) as Pick<AlertRule, 'name' | 'kind'>;
      sent(body);
      const { name, kind } = body;
      const score = kind === 'score-above' ? 'overall' : null;
      const rule = ruleOf({ name, kind, score, threshold: score && 70 });
      api.rules = [...api.rules, rule];
      return rule;
    }),
  );
  return sent;
}

const suggested = () =>
  within(screen.getByRole('list', { name: 'Suggested rules' }))
    .getAllByRole('button')
    .map((button) => button.getAttribute('aria-label'));

test('the list shows what each rule watches and where its alerts go', async () => {
  const api = alertsApi();
  api.rules = [
    ruleOf({ kind: 'score-above', score: 'asset', threshold: 7, digest: 'daily', mailTo: [ruleOf()._id] }),
    ruleOf({ name: 'Silence', kind: 'nothing-imported', days: 7, enabled: false }),
  ];
  visit(page);
  await screen.findByRole('switch', { name: 'Enable Silence' });
  const [, first, second] = screen.getAllByRole('row');
  within(first as HTMLElement).getByText('Risk score of an asset above 7');
  within(first as HTMLElement).getByText('Inbox, 1 member by email (daily digest)');
  within(first as HTMLElement).getByRole('switch', { name: 'Enable Critical ones', checked: true });
  within(second as HTMLElement).getByText('Nothing imported for 7 days');
  within(second as HTMLElement).getByText('Never');
  expect(
    within(second as HTMLElement).getByRole('switch', { name: 'Enable Silence', checked: false }),
  ).toBeTruthy();
});

test('an empty list suggests rules, and a click adds one', async () => {
  const api = alertsApi();
  const sent = creations(api);
  const { user } = visit(page);
  await user.click(await screen.findByRole('button', { name: 'Add Overall risk above 70' }));
  await screen.findByText('Overall risk above 70 added');
  expect(sent).toHaveBeenCalledExactlyOnceWith({
    name: 'Overall risk above 70',
    kind: 'score-above',
    score: 'overall',
    threshold: 70,
  });
  await screen.findByRole('switch', { name: 'Enable Overall risk above 70' });
  await waitFor(() => expect(suggested()).not.toContain('Add Overall risk above 70'));
  expect(suggested()).toHaveLength(presets.length - 1);
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Add Nothing imported for a week');
});

test('rules are suggested until the list has one that watches the same', async () => {
  const api = alertsApi();
  api.rules = [
    ruleOf({ kind: 'import-failed' }),
    ruleOf({ kind: 'score-above', score: 'asset', threshold: 7 }),
  ];
  visit(page);
  await screen.findByRole('list', { name: 'Suggested rules' });
  expect(suggested()).toEqual([
    'Add New critical vulnerabilities',
    'Add Assets at risk',
    'Add Overall risk above 70',
    'Add Nothing imported for a week',
  ]);
});

test('after the last suggestion the focus is on New rule', async () => {
  const api = alertsApi();
  creations(api);
  api.rules = presets.slice(1).map((preset) => ruleOf(preset));
  const { user } = visit(page);
  await user.click(await screen.findByRole('button', { name: 'Add New critical vulnerabilities' }));
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Suggested rules' })).toBeNull());
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'New rule' }));
});

test('the kind of a new rule decides its fields, and members and webhooks are chosen', async () => {
  const api = alertsApi();
  api.webhooks = [webhookOf()];
  const sent = creations(api);
  const { user } = visit(page);
  await user.click(await screen.findByRole('button', { name: 'New rule' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New alert rule' }));
  expect(dialog.queryByLabelText('Alert above')).toBeNull();
  await user.click(dialog.getByRole('radio', { name: 'Nothing imported for some days' }));
  dialog.getByLabelText('Days without an import');
  await user.click(dialog.getByRole('radio', { name: 'Score above a value' }));
  expect(dialog.queryByLabelText('Days without an import')).toBeNull();
  expect(dialog.getByLabelText<HTMLInputElement>('Name').value).toBe('Score above a value');
  // A decimal comma is read as in every other field; without it, this would be 855.
  await fill(user, dialog.getByLabelText('Alert above'), '85,5');
  expect(dialog.queryByRole('radio', { name: 'Daily digest' })).toBeNull();
  await user.click(await dialog.findByRole('checkbox', { name: 'Ben Okafor (ben@example.org)' }));
  await user.click(dialog.getByRole('radio', { name: 'Daily digest' }));
  await user.click(dialog.getByRole('checkbox', { name: 'Security chat' }));
  await user.click(dialog.getByRole('button', { name: 'Create rule' }));
  await screen.findByText('Rule created');
  expect(sent).toHaveBeenCalledExactlyOnceWith({
    kind: 'score-above',
    name: 'Score above a value',
    score: 'overall',
    threshold: 85.5,
    digest: 'daily',
    mailTo: [expect.any(String)],
    webhookIds: [api.webhooks[0]?._id],
  });
});

test('ten members can be searched; the search submits nothing and keeps the members that it hides selected', async () => {
  const api = alertsApi();
  api.members = Array.from({ length: 10 }, (_, n) => ({
    _id: newId(),
    name: `Member ${n}`,
    email: `m${n}@example.org`,
    role: 'analyst' as const,
  }));
  const sent = creations(api);
  const { user } = visit(page);
  await user.click(await screen.findByRole('button', { name: 'New rule' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New alert rule' }));
  const search = await dialog.findByRole('searchbox', { name: 'Search members' });
  await user.click(dialog.getByRole('checkbox', { name: 'Member 3 (m3@example.org)' }));
  await user.type(search, ' M7@EXAMPLE{Enter}');
  expect(dialog.getAllByRole('checkbox').map((box) => box.closest('label')?.textContent)).toEqual([
    'Member 7 (m7@example.org)',
  ]);
  expect(sent).not.toHaveBeenCalled();
  await user.click(dialog.getByRole('checkbox'));
  dialog.getByRole('group', { name: 'Email (2 selected)' });
  await user.clear(search);
  await user.type(search, 'nobody');
  dialog.getByText('No member contains “nobody”.');
  await user.click(dialog.getByRole('button', { name: 'Create rule' }));
  await screen.findByText('Rule created');
  expect(sent.mock.lastCall?.[0]).toMatchObject({ mailTo: [api.members[3]?._id, api.members[7]?._id] });
});

test('fewer than ten members and webhooks are listed without a search', async () => {
  alertsApi();
  const { user } = visit(page);
  await user.click(await screen.findByRole('button', { name: 'New rule' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New alert rule' }));
  await dialog.findByRole('group', { name: 'Email (optional)' });
  expect(dialog.queryByRole('searchbox')).toBeNull();
});

test('a rule without a name and with 0 days is not sent, and each field says why', async () => {
  const sent = creations(alertsApi());
  const { user } = visit(page);
  await user.click(await screen.findByRole('button', { name: 'New rule' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New alert rule' }));
  await user.click(dialog.getByRole('radio', { name: 'Nothing imported for some days' }));
  await user.clear(dialog.getByLabelText('Name'));
  await fill(user, dialog.getByLabelText('Days without an import'), '0');
  await user.click(dialog.getByRole('button', { name: 'Create rule' }));
  await dialog.findByText('Enter a name.');
  dialog.getByText('Enter 1 to 365 days.');
  expect(sent).not.toHaveBeenCalled();
});

test('an edit sends only the changed fields with the version; after a conflict the next save applies them', async () => {
  const api = alertsApi();
  const rule = ruleOf({ kind: 'nothing-imported', days: 7, version: 3 });
  api.rules = [rule];
  const sent = vi.fn<(version: string | null, body: unknown) => void>();
  server.use(
    answer(alertRules.update, async ({ request }) => {
      const version = request.headers.get('if-match');
      sent(version, await request.json());
      if (version !== '"4"') {
        api.rules = [{ ...rule, name: 'Renamed elsewhere', version: 4 }];
        return refusal('stale_version');
      }
      return { ...rule, days: 14, version: 5 };
    }),
  );
  const { user } = visit(page);
  await user.click(await screen.findByRole('button', { name: 'Edit Critical ones' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit alert rule' }));
  expect(dialog.queryByRole('radio', { name: 'Import failed' })).toBeNull();
  await fill(user, await dialog.findByLabelText('Days without an import'), '14');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await dialog.findByText(/Another user changed this rule meanwhile/u);
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await screen.findByText('Rule saved');
  expect(sent.mock.calls).toEqual([
    ['"3"', { days: 14 }],
    ['"4"', { days: 14 }],
  ]);
});

test.each([
  ['New rule', 'New alert rule', 'Create rule'],
  ['Edit Critical ones', 'Edit alert rule', 'Save'],
])(
  'the input of %s is kept when the session ends, and restored after the login',
  async (opener, name, save) => {
    const api = alertsApi();
    api.rules = [ruleOf()];
    let isSignedIn = true;
    const ended = () => {
      isSignedIn = false;
      return refusal('session_expired');
    };
    server.use(
      answer(alertRules.create, ended),
      answer(alertRules.update, ended),
      answer(accounts.refresh, ended),
      answer(accounts.me, () => (isSignedIn ? { user: userOf() } : ended())),
      answer(accounts.login, () => {
        isSignedIn = true;
        return { user: userOf() };
      }),
    );
    const { user } = visit(page);
    await user.click(await screen.findByRole('button', { name: opener }));
    const dialog = await screen.findByRole('dialog', { name });
    await fill(user, within(dialog).getByLabelText('Name'), 'Typed name');
    await user.click(within(dialog).getByRole('button', { name: save }));
    await user.type(await screen.findByLabelText('Password'), 'correct horse battery{Enter}');
    const restored = within(await screen.findByRole('dialog', { name }));
    expect(restored.getByLabelText<HTMLInputElement>('Name').value).toBe('Typed name');
    expect(restored.getByText('Your unsaved changes were restored.')).toBeDefined();
    expect(sessionStorage.getItem('riskboard.draft')).toBeNull();
  },
);

test('a rule is disabled in its row, and enabled again when the call fails', async () => {
  const api = alertsApi();
  api.rules = [ruleOf()];
  let fails = false;
  server.use(
    answer(alertRules.update, async ({ request }) => {
      if (fails) return refusal('unavailable', 'The database is down.');
      const { enabled } = (await request.json()) as { enabled: boolean };
      api.rules = api.rules.map((rule) => ({ ...rule, enabled }));
      return api.rules[0];
    }),
  );
  const { user } = visit(page);
  const control = await screen.findByRole('switch', { name: 'Enable Critical ones' });
  await user.click(control);
  await waitFor(() => expect(control.getAttribute('aria-checked')).toBe('false'));
  fails = true;
  await user.click(control);
  await screen.findByText('Failed to change the rule');
  await waitFor(() => expect(control.getAttribute('aria-checked')).toBe('false'));
});

/** Deletes the rule of the page and confirms it. */
async function deleteRule({ user }: ReturnType<typeof visit>): Promise<void> {
  await user.click(await screen.findByRole('button', { name: 'Delete Critical ones' }));
  const question = await screen.findByRole('alertdialog', { name: 'Delete Critical ones?' });
  await user.click(within(question).getByRole('button', { name: 'Delete' }));
}

test('a rule is deleted after a confirmation, and Undo restores it', async () => {
  const api = alertsApi();
  const rule = ruleOf({ kind: 'score-above', score: 'cwss', threshold: 60, version: 3 });
  api.rules = [rule];
  const sent = vi.fn<(version: string | null) => void>();
  const restored = vi.fn<(id: unknown) => void>();
  server.use(
    answer(alertRules.delete, ({ request }) => {
      sent(request.headers.get('if-match'));
      api.rules = [];
      return { success: true as const, _id: rule._id, id: rule._id };
    }),
    answer(alertRules.restore, ({ params }) => {
      restored(params['id']);
      api.rules = [rule];
      return rule;
    }),
  );
  const app = visit(page);
  await deleteRule(app);
  await screen.findByText('No alert rules yet.');
  await app.user.click(await screen.findByRole('button', { name: 'Undo' }));
  await screen.findByText('Critical ones restored');
  await screen.findByRole('switch', { name: 'Enable Critical ones' });
  expect(sent).toHaveBeenCalledExactlyOnceWith('"3"');
  expect(restored).toHaveBeenCalledExactlyOnceWith(rule._id);
});

test('a rule that another user changed is not deleted, and its row shows the change', async () => {
  const api = alertsApi();
  const rule = ruleOf();
  api.rules = [rule];
  server.use(
    answer(alertRules.delete, () => {
      api.rules = [{ ...rule, enabled: false, version: 2 }];
      return refusal('stale_version', 'Ben Okafor changed this in the meantime.');
    }),
  );
  await deleteRule(visit(page));
  await screen.findByText('Failed to delete the rule');
  await screen.findByText('Ben Okafor changed this in the meantime.');
  expect(await screen.findByRole('switch', { name: 'Enable Critical ones', checked: false })).toBeTruthy();
});

test('a viewer sees the rules, cannot change them, and sees why', async () => {
  const api = alertsApi({ role: 'viewer' });
  api.rules = [ruleOf()];
  const { user } = visit(page);
  const control = await screen.findByRole('switch', { name: 'Enable Critical ones' });
  for (const name of ['New rule', 'Edit Critical ones', 'Delete Critical ones'])
    expect(screen.getByRole('button', { name }).getAttribute('aria-disabled')).toBe('true');
  expect(control.getAttribute('aria-disabled')).toBe('true');
  await user.hover(screen.getByRole('button', { name: 'New rule' }));
  await screen.findByText('Requires the analyst role. You are a viewer.');
});

test('a viewer of an empty list gets no suggestions', async () => {
  alertsApi({ role: 'viewer' });
  visit(page);
  await screen.findByText('No alert rules yet.');
  expect(screen.queryByRole('list', { name: 'Suggested rules' })).toBeNull();
});

test('rules that could not be loaded are loaded again with Retry', async () => {
  const api = alertsApi();
  api.rules = [ruleOf()];
  let fails = true;
  server.use(
    answer(alertRules.list, () => (fails ? refusal('unavailable') : { rules: api.rules, total: 1 })),
  );
  const { user } = visit(page);
  await screen.findByText('Failed to load the alert rules.');
  fails = false;
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('switch', { name: 'Enable Critical ones' })).toBeTruthy();
});
