import { assets, threats } from '@riskboard/contract';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fakeApi, pageOf } from '../../../testing/fake-api.ts';
import { visit } from '../../../testing/render-app.tsx';
import { assetOf } from '../../../testing/records.ts';
import { threatOf } from '../../../testing/rows.ts';
import { answer, refusal, server, useServer } from '../../../testing/server.ts';

useServer();

it('a bulk edit sets the word none in a free text; only a choice clears a field', async () => {
  fakeApi();
  const row = threatOf({ name: 'Emotet' });
  const sent: unknown[] = [];
  server.use(
    answer(threats.list, ({ url }) => {
      const { rows, ...page } = pageOf([row], url);
      return { threats: rows, ...page, nextCursor: null };
    }),
    answer(threats.updateMany, async ({ request }) => {
      sent.push(await request.json());
      return { success: true as const, updatedCount: 1, unchangedCount: 0, message: '1 threat changed.' };
    }),
  );
  const { user } = visit('/dashboard/threats');
  await user.click(await screen.findByRole('checkbox', { name: 'Select Emotet' }));
  await user.click(await screen.findByRole('button', { name: 'Edit Selected (1)' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit 1 threat' }));
  await user.type(await dialog.findByRole('textbox', { name: 'Category' }), 'none');
  await user.click(dialog.getByRole('combobox', { name: 'Type' }));
  await user.click(await screen.findByRole('option', { name: 'Not set' }));
  await user.click(dialog.getByRole('button', { name: 'Change 1 threat' }));
  const change = { threatCategory: 'none', threatTypeId: '' };
  await expect.poll(() => sent).toEqual([{ ids: [row._id], change }]);
});

it('a refused bulk edit names the related assets that no longer exist, at their field', async () => {
  fakeApi();
  const row = threatOf({ name: 'Emotet' });
  const relay = assetOf({ name: 'Mail relay' });
  const message = `This asset does not exist: ${relay._id}.`;
  server.use(
    answer(threats.list, ({ url }) => {
      const { rows, ...page } = pageOf([row], url);
      return { threats: rows, ...page, nextCursor: null };
    }),
    answer(assets.list, ({ url }) => {
      const { rows, ...page } = pageOf([relay], url);
      return { assets: rows, ...page, nextCursor: null };
    }),
    answer(threats.updateMany, () =>
      refusal('invalid', 'One of the related assets does not exist.', [
        { path: 'change.addAssets', message },
      ]),
    ),
  );
  const { user } = visit('/dashboard/threats');
  await user.click(await screen.findByRole('checkbox', { name: 'Select Emotet' }));
  await user.click(await screen.findByRole('button', { name: 'Edit Selected (1)' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit 1 threat' }));
  await user.click(await dialog.findByRole('combobox', { name: 'Add related assets' }));
  await user.click(await screen.findByRole('option', { name: /Mail relay/u }));
  await user.keyboard('{Escape}');
  await expect.poll(() => screen.queryByRole('listbox')).toBeNull();
  await user.click(dialog.getByRole('button', { name: 'Change 1 threat' }));
  const shown = await dialog.findByText('This asset does not exist: Mail relay.');
  await user.click(dialog.getByRole('button', { name: 'Remove Mail relay' }));
  await expect.poll(() => shown.isConnected).toBe(false);
});
