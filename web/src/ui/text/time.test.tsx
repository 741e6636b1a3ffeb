import { render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Time } from './time.tsx';

it.each(['relative', 'absolute', 'day', 'utc'] as const)(
  'a missing timestamp is shown as N/A in the form %s',
  (form) => {
    const { container } = render(<Time value={null} form={form} />);
    expect(container.textContent).toBe('N/A');
  },
);
