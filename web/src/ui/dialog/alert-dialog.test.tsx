import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { AlertDialog } from './alert-dialog.tsx';

function Fixture({ onConfirm }: { onConfirm: () => Promise<void> }) {
  const [open, setOpen] = useState(true);
  return (
    <AlertDialog
      open={open}
      onOpenChange={setOpen}
      title="Are you absolutely sure?"
      description="This action cannot be undone."
      confirmLabel="Delete"
      danger
      onConfirm={onConfirm}
    >
      <a href="/dashboard/reports">What goes with it</a>
    </AlertDialog>
  );
}

test('the dialog opens with the focus on Cancel, and Cancel only closes it', async () => {
  const onConfirm = vi.fn<() => Promise<void>>(async () => undefined);
  render(<Fixture onConfirm={onConfirm} />);
  const dialog = await screen.findByRole('alertdialog', { name: 'Are you absolutely sure?' });
  expect(dialog.getAttribute('aria-describedby')).not.toBeNull();
  const cancel = screen.getByRole('button', { name: 'Cancel' });
  await waitFor(() => expect(document.activeElement).toBe(cancel));
  await userEvent.setup().click(cancel);
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(onConfirm).not.toHaveBeenCalled();
});

test('the dialog is busy and cannot be closed during the action, and closes afterwards', async () => {
  const user = userEvent.setup();
  const { promise, resolve } = Promise.withResolvers<void>();
  render(<Fixture onConfirm={() => promise} />);
  await user.click(await screen.findByRole('button', { name: 'Delete' }));
  expect(screen.getByRole('button', { name: 'Delete' }).getAttribute('aria-busy')).toBe('true');
  await user.keyboard('{Escape}');
  expect(screen.getByRole('alertdialog')).toBeDefined();
  resolve();
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
});
