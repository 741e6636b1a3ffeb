import { etagOf, threats, type ThreatDetail } from '@riskboard/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { fakeApi, pageOf } from '../../../testing/fake-api.ts';
import { threatDetailOf } from '../../../testing/records.ts';
import { fill, visit } from '../../../testing/render-app.tsx';
import { threatOf } from '../../../testing/rows.ts';
import { answer, server, useServer } from '../../../testing/server.ts';

useServer();
beforeEach(() => void fakeApi());

/** Opens the list of threats with one threat; the server calculates a blank risk level. */
function open(change: Partial<ThreatDetail> = {}) {
  const record = threatDetailOf({ name: 'Emotet', riskLevel: 80, likelihood: 4, impact: 3, ...change });
  const sent: unknown[] = [];
  server.use(
    answer(threats.list, ({ url }) => {
      const { rows, ...page } = pageOf([threatOf(record)], url);
      return { threats: rows, ...page, nextCursor: null };
    }),
    answer(threats.get, () => record),
    answer(threats.update, async ({ request }) => {
      const body = (await request.json()) as Record<string, unknown>;
      sent.push([request.headers.get('if-match'), body]);
      const derived = body['riskLevel'] === '' ? { riskLevel: 48, riskLevelSource: 'derived' } : {};
      Object.assign(record, body, derived, { version: record.version + 1, updatedBy: 'Ada Lovelace' });
      return record;
    }),
  );
  return { sent, ...visit('/dashboard/threats') };
}

const row = () => screen.findByRole('row', { name: /Emotet/u });

it('a risk level that is cleared in its row is calculated by the server, and Undo restores the entered one', async () => {
  const { sent, user } = open();
  await user.click(within(await row()).getByTitle('Change risk level'));
  const editor = within(await screen.findByRole('dialog', { name: 'Risk level of Emotet' }));
  editor.getByText('If left blank, the risk level is calculated as 4 × likelihood × impact.');
  await fill(user, editor.getByRole('textbox', { name: 'Risk level' }), '');
  await user.click(editor.getByRole('button', { name: 'Save' }));
  await screen.findByText('Risk level of “Emotet” changed to 48');
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await screen.findByText('Risk level of “Emotet” is 80 again');
  expect(sent).toEqual([
    [etagOf(1), { riskLevel: '' }],
    [etagOf(2), { riskLevel: 80 }],
  ]);
});

it('Undo lets the server calculate a risk level again that was calculated before', async () => {
  const { sent, user } = open({ riskLevel: 48, riskLevelSource: 'derived' });
  await user.click(within(await row()).getByTitle('Change risk level'));
  await fill(user, await screen.findByRole('textbox', { name: 'Risk level' }), '70');
  await user.keyboard('{Enter}');
  await screen.findByText('Risk level of “Emotet” changed to 70');
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await screen.findByText('Risk level of “Emotet” is 48 again');
  expect(sent.at(-1)).toEqual([etagOf(2), { riskLevel: '' }]);
});

it('S changes the state in the pane when the list has no column for it', async () => {
  const { sent, user } = open();
  await user.click(await row());
  const pane = within(await screen.findByRole('complementary', { name: 'Emotet' }));
  await pane.findByTitle('Change state');
  await user.keyboard('s');
  await user.click(await screen.findByRole('menuitemradio', { name: 'Inactive' }));
  await screen.findByText('State of “Emotet” changed to Inactive');
  await waitFor(() => expect(pane.getByTitle('Change state').textContent).toBe('Inactive'));
  expect(sent).toEqual([[etagOf(1), { isActive: false }]]);
});
