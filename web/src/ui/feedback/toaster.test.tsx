import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { toast } from './toast.ts';
import { Toaster } from './toaster.tsx';

test('what is said before the toaster has come is not lost', async () => {
  toast.success('Early');
  render(<Toaster />);
  await screen.findByText('Early');
  toast.error('Late');
  await screen.findByText('Late');
  expect(screen.getAllByText(/Early|Late/u)).toHaveLength(2);
});
