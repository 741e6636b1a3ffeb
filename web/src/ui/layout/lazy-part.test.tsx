import { render, screen } from '@testing-library/react';
import { Component, type ReactNode } from 'react';
import { expect, test, vi } from 'vitest';
import { lazyPart } from './lazy-part.tsx';

const Panel = ({ text }: { text: string }) => <p>{text}</p>;
const loads = () => vi.fn<() => Promise<typeof Panel>>(async () => Panel);

class Boundary extends Component<{ children: ReactNode }, { message?: string }> {
  override state: { message?: string } = {};
  static getDerivedStateFromError = ({ message }: Error) => ({ message });
  override render() {
    const { message } = this.state;
    return message === undefined ? (
      this.props.children
    ) : (
      <button onClick={() => this.setState({ message: undefined })}>{message}</button>
    );
  }
}

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

test('a failed load is shown by the error boundary, and tried again by the next attempt', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const load = loads();
  load.mockRejectedValueOnce(new Error('The code could not be loaded'));
  const Part = lazyPart(load);
  render(
    <Boundary>
      <Part text="Trend" />
    </Boundary>,
  );
  (await screen.findByText('The code could not be loaded')).click();
  expect(await screen.findByText('Trend')).toBeDefined();
  expect(load).toHaveBeenCalledTimes(2);
});
