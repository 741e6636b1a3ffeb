import { act, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { keepPageWhileUnreachable } from '../../lib/api/chunk-failure.ts';
import { liveState } from '../../lib/live/live-state.ts';
import { lazyPart } from './lazy-part.tsx';

const Panel = ({ text }: { text: string }) => <p>{text}</p>;
const loads = () => vi.fn<() => Promise<typeof Panel>>(async () => Panel);

afterEach(() => liveState.set('reconnecting'));

test('a part shows its fallback until its code has arrived, then its content', async () => {
  const { promise, resolve } = Promise.withResolvers<typeof Panel>();
  const Part = lazyPart(() => promise, <p>Please wait</p>);
  render(<Part text="Trend" />);
  expect(screen.getByText('Please wait')).toBeDefined();
  resolve(Panel);
  expect(await screen.findByText('Trend')).toBeDefined();
  expect(screen.queryByText('Please wait')).toBeNull();
});

test('a part whose code has been loaded before is shown at once, and its code is loaded once', async () => {
  const load = loads();
  const Part = lazyPart(load, <p>Please wait</p>);
  await Part.load();
  render(<Part text="Trend" />);
  expect(screen.getByText('Trend')).toBeDefined();
  expect(load).toHaveBeenCalledOnce();
});

test('a part in a part appears within a few tasks of the event loop, not after a pause', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const Inner = lazyPart(loads(), <p>Waiting for the inner part</p>);
  const Outer = lazyPart(
    async () =>
      ({ text }: { text: string }) => <Inner text={text} />,
    <p>Please wait</p>,
  );
  render(<Outer text="Graph" />);
  // With React.lazy these tasks would end long before the first 300 ms.
  for (let task = 0; task < 20; task += 1) await new Promise((resolve) => setTimeout(resolve, 0));
  expect(screen.getByText('Graph')).toBeDefined();
});

/** A page with an input and a part whose first load fails with this error. */
function renderPage(error: Error) {
  const load = loads();
  load.mockRejectedValueOnce(error);
  const Part = lazyPart(load);
  render(
    <>
      <input aria-label="Description" defaultValue="Typed text." />
      <Part text="Trend" />
    </>,
  );
  return load;
}

test('a failed load is reported in the place of the part, and tried again by Retry; the page and its input stay', async () => {
  const load = renderPage(new Error('Riskboard cannot be reached.'));
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Riskboard cannot be reached.');
  expect(screen.getByLabelText<HTMLInputElement>('Description').value).toBe('Typed text.');
  screen.getByRole('button', { name: 'Retry' }).click();
  expect(await screen.findByText('Trend')).toBeDefined();
  expect(screen.queryByRole('alert')).toBeNull();
  expect(load).toHaveBeenCalledTimes(2);
});

test('a part that failed without a connection is loaded again when the connection returns', async () => {
  liveState.set('offline');
  renderPage(new Error('Riskboard cannot be reached.'));
  await screen.findByRole('alert');
  act(() => liveState.set('live'));
  expect(await screen.findByText('Trend')).toBeDefined();
});

test('a part of an earlier version whose file is gone asks for a reload, without the message of the browser', async () => {
  const stop = keepPageWhileUnreachable();
  const payload = new Error('Failed to fetch dynamically imported module: http://localhost/assets/part.js');
  dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload }));
  stop();
  renderPage(payload);
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Riskboard may have been updated.');
  expect(alert.textContent).not.toContain('assets');
  expect(screen.getByRole('button', { name: 'Reload' })).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
});
