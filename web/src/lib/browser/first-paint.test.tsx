import { render } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

beforeEach(() => vi.resetModules());
afterEach(() => vi.restoreAllMocks());

/** What a component knows at each of its renders. */
async function opened() {
  const { useIsPainted } = await import('./first-paint.ts');
  return () => {
    const renders: boolean[] = [];
    function Page() {
      const isPainted = useIsPainted();
      renders.push(isPainted);
      return <h1>{isPainted ? 'all' : 'header'}</h1>;
    }
    const { container, unmount } = render(<Page />);
    const shown = container.textContent;
    unmount();
    return { renders, shown };
  };
}

it('the first page is rendered without what takes long, and then with it', async () => {
  const open = await opened();
  expect(open()).toEqual({ renders: [false, true], shown: 'all' });
});

it('a later page is rendered at once', async () => {
  const open = await opened();
  open();
  expect(open()).toEqual({ renders: [true], shown: 'all' });
});

it.each(['reload', 'back_forward'])(
  'a page after %s is rendered at once: its position is kept',
  async (type) => {
    vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type } as PerformanceNavigationTiming]);
    const open = await opened();
    expect(open()).toEqual({ renders: [true], shown: 'all' });
  },
);
