import { assets, type Related } from '@riskboard/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { createQueryClient } from '../../../lib/api/query-client.ts';
import { assetOf } from '../../../testing/records.ts';
import { setupUser } from '../../../testing/render-app.tsx';
import { answer, server, useServer } from '../../../testing/server.ts';
import { Field } from '../../input/field.tsx';
import { AssetPicker } from './asset-picker.tsx';

useServer();

const button = (name: string) => screen.getByRole('button', { name });
const chipNames = () =>
  within(screen.getByRole('toolbar'))
    .queryAllByLabelText(/^Server \d+$/u)
    .map((chip) => chip.getAttribute('aria-label'));
const names = (count: number) => Array.from({ length: count }, (_, index) => `Server ${index + 1}`);
const chosen = (count: number) => names(count).map((name) => assetOf({ name }));

function show(initial: readonly Related[], disabled = false) {
  const values: (readonly Related[])[] = [initial];
  function Form() {
    const [value, setValue] = useState(initial);
    return (
      <Field label="Related assets">
        <AssetPicker
          id="picker"
          value={value}
          disabled={disabled}
          onChange={(next) => {
            values.push(next);
            setValue(next);
          }}
        />
      </Field>
    );
  }
  const options = [assetOf({ name: 'Server 900' }), assetOf({ name: 'Server 901' })];
  server.use(
    answer(assets.list, () => ({
      assets: options,
      total: options.length,
      page: 1,
      pageSize: 50,
      nextCursor: null,
      skipped: 0,
    })),
  );
  render(
    <QueryClientProvider client={createQueryClient()}>
      <Form />
    </QueryClientProvider>,
  );
  return { user: setupUser(), newest: () => values.at(-1)?.map(({ name }) => name) };
}

test('shows the first 20 of many chosen assets, and all of them on request', async () => {
  const { user } = show(chosen(500));
  expect(chipNames()).toEqual(names(20));
  await user.click(button('Show all 500'));
  expect(chipNames()).toEqual(names(500));
  await user.click(button('Show fewer'));
  expect(chipNames()).toEqual(names(20));
});

test('shows 20 chosen assets without a button for the others', () => {
  show(chosen(20));
  expect(chipNames()).toEqual(names(20));
  expect(screen.queryByRole('button', { name: /Show (all|fewer)/u })).toBeNull();
});

test('shows an asset that is added to many after the first, where Backspace removes it', async () => {
  const { user, newest } = show(chosen(30));
  const picker = screen.getByRole('combobox', { name: 'Related assets' });
  await user.click(picker);
  await user.click(await screen.findByRole('option', { name: 'Server 900' }));
  expect(chipNames()).toEqual([...names(20), 'Server 900']);
  expect(newest()?.toSorted()).toEqual([...names(30), 'Server 900'].toSorted());
  await user.type(picker, '{Backspace}');
  expect(newest()).toEqual(names(30));
});

test('removes the asset of the chip, also after one was added to many', async () => {
  const { user, newest } = show(chosen(30));
  await user.click(screen.getByRole('combobox', { name: 'Related assets' }));
  await user.click(await screen.findByRole('option', { name: 'Server 901' }));
  await user.keyboard('{Escape}');
  await user.click(button('Remove Server 3'));
  await user.click(button('Remove Server 901'));
  expect(newest()).toEqual(names(30).filter((name) => name !== 'Server 3'));
});

test('read-only chosen assets have no buttons that remove them', () => {
  show(chosen(3), true);
  expect(chipNames()).toEqual(names(3));
  expect(screen.queryByRole('button', { name: /^Remove /u })).toBeNull();
});

test('does not render the chosen assets again while the user types', async () => {
  let reads = 0;
  const counted = chosen(40).map(({ _id, name, description }) => ({
    _id,
    description,
    get name() {
      reads += 1;
      return name;
    },
  }));
  const { user } = show(counted);
  await user.click(button('Show all 40'));
  await user.click(screen.getByRole('combobox', { name: 'Related assets' }));
  await screen.findByRole('option', { name: 'Server 900' });
  expect(reads).toBeGreaterThan(0);
  reads = 0;
  await user.keyboard('gate');
  expect(reads).toBe(0);
});
