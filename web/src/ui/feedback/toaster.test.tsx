import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
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
