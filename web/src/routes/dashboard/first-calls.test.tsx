import { accounts } from '@riskboard/contract';
import { waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { firstCalls } from '../../../first-calls.ts';
import { visit } from '../../testing/render-app.tsx';
import { userOf } from '../../testing/rows.ts';

const id = '0199f000-0000-7000-8000-000000000001';

it.each(Object.entries(firstCalls))('%s makes the calls that its document preloads', async (page, calls) => {
  const made: string[] = [];
  // Only the account is answered: the calls must not wait for each other.
  vi.stubGlobal('fetch', (address: string) => {
    made.push(address);
    return address === accounts.me.path
      ? Promise.resolve(Response.json({ user: userOf() }))
      : new Promise(() => undefined);
  });
  visit(page.replace('$id', id));
  const expected = calls.map((call) => call.replace('$id', id));
  await waitFor(() => expect(made).toEqual(expect.arrayContaining(expected)));
});
