import { render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { idlePart } from './idle-part.tsx';

const Panel = ({ text }: { text: string }) => <p>{text}</p>;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a part that was loaded while the browser was idle is shown at once, without its fallback', async () => {
  const load = vi.fn<() => Promise<typeof Panel>>(async () => Panel);
  const { Part, useIdleLoad } = idlePart(load);
  const Page = ({ open }: { open: boolean }) => {
    useIdleLoad();
    return open && <Part text="Filters" />;
  };
  const { rerender } = render(<Page open={false} />);
  expect(load).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1000);
  expect(load).toHaveBeenCalledOnce();
  rerender(<Page open />);
  expect(screen.getByText('Filters')).toBeDefined();
  rerender(<Page open={false} />);
  rerender(<Page open />);
  expect(load).toHaveBeenCalledOnce();
});

test('a part whose idle load failed is loaded by the click', async () => {
  const load = vi.fn<() => Promise<typeof Panel>>(async () => Panel);
  load.mockRejectedValueOnce(new Error('offline'));
  const { Part, useIdleLoad } = idlePart(load);
  const Page = ({ open }: { open: boolean }) => {
    useIdleLoad();
    return open && <Part text="Filters" />;
  };
  const { rerender } = render(<Page open={false} />);
  await vi.advanceTimersByTimeAsync(1000);
  rerender(<Page open />);
  vi.useRealTimers();
  expect(await screen.findByText('Filters')).toBeDefined();
});
