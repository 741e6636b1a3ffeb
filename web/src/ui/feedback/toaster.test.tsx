import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { toast } from './toast.ts';
import { Toaster } from './toaster.tsx';

test('a toast shown before the toaster has loaded is not lost', async () => {
  toast.success('Early');
  render(<Toaster />);
  await screen.findByText('Early');
  toast.error('Late');
  await screen.findByText('Late');
  expect(screen.getAllByText(/Early|Late/u)).toHaveLength(2);
});

test('a toast that replaces another one does not keep its action', async () => {
  render(<Toaster />);
  const id = toast.info('Started', undefined, { action: { label: 'Show progress', onClick: () => {} } });
  await screen.findByRole('button', { name: 'Show progress' });
  toast.success('Done', undefined, { id });
  await screen.findByText('Done');
  expect(screen.queryByRole('button', { name: 'Show progress' })).toBeNull();
});

test('an action runs once, and its toast closes', async () => {
  render(<Toaster />);
  const restore = vi.fn<() => void>();
  toast.success('View deleted', undefined, { action: { label: 'Undo', onClick: restore } });
  const undo = await screen.findByRole('button', { name: 'Undo' });
  undo.click();
  undo.click();
  await waitFor(() => expect(screen.queryByText('View deleted')).toBeNull());
  expect(restore).toHaveBeenCalledOnce();
});

test('of toasts without an action the newest four are shown, and each with Undo until its time is over', async () => {
  render(<Toaster />);
  toast.success('Threats deleted', undefined, { action: { label: 'Undo', onClick: () => {} } });
  const names = ['One', 'Two', 'Three', 'Four', 'Five'];
  for (const name of names) toast.success(name, undefined, { action: { label: 'Undo', onClick: () => {} } });
  await screen.findByText('Five');
  for (const name of names) toast.success(`${name} copied`);
  await waitFor(() => expect(screen.queryByText('One copied')).toBeNull());
  for (const name of names.slice(1)) expect(screen.getByText(`${name} copied`)).toBeDefined();
  for (const name of ['Threats deleted', ...names])
    expect(screen.getByRole('dialog', { name }).hasAttribute('data-limited')).toBe(false);
});

test('assistive technology finds the button that dismisses a toast, without pointing at it first', async () => {
  render(<Toaster />);
  toast.error('Download failed');
  const shown = await screen.findByRole('dialog', { name: 'Download failed' });
  fireEvent.click(within(shown).getByRole('button', { name: 'Dismiss' }));
  await waitFor(() => expect(screen.queryByText('Download failed')).toBeNull());
});

test('toasts move up when a bar of actions appears below them later', async () => {
  render(<Toaster />);
  toast.success('Dry run finished');
  const shown = await screen.findByRole('dialog', { name: 'Dry run finished' });
  await waitFor(() => expect(shown.parentElement?.style.bottom).toBe('80px'));
  const bar = document.createElement('footer');
  bar.dataset['keepClear'] = '';
  const top = window.innerHeight - 130;
  // jsdom has no layout: the toasts are a point at the left edge.
  bar.getBoundingClientRect = () => new DOMRect(-100, top, 200, 60);
  document.body.append(bar);
  await waitFor(() => expect(shown.parentElement?.style.bottom).toBe('138px'));
  bar.remove();
  await waitFor(() => expect(shown.parentElement?.style.bottom).toBe('80px'));
});
