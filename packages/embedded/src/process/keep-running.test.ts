import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, type Mock, vi } from 'vitest';
import { type KeepRunningOptions, type Exit, keepRunning, type Running } from './keep-running.ts';

/** A part that the test can end. */
function fakePart() {
  let end: (exit: Exit) => void = () => {};
  const exited = new Promise<Exit>((resolve) => (end = resolve));
  const stop = vi.fn<Running['stop']>(async () => end({ code: 0, reason: 'exit code 0' }));
  return { running: { exited, stop } satisfies Running, end: (exit: Exit) => end(exit), stop };
}

const killed: Exit = { code: null, reason: 'SIGKILL' };
const setting = () => ({
  name: 'api',
  print: vi.fn<KeepRunningOptions['print']>(),
  onInvalidConfiguration: vi.fn<KeepRunningOptions['onInvalidConfiguration']>(),
});

const lines = (print: Mock<KeepRunningOptions['print']>): string[] => print.mock.calls.map(([line]) => line);

describe('keepRunning', () => {
  it('restarts a part that ended, and prints the reason and the wait', async () => {
    const [first, second] = [fakePart(), fakePart()];
    const options = { ...setting(), start: vi.fn<KeepRunningOptions['start']>(async () => second.running) };
    const kept = keepRunning(options, first.running);
    first.end(killed);
    await vi.waitFor(() => expect(options.start).toHaveBeenCalledTimes(1));
    await vi.waitFor(() =>
      expect(lines(options.print)).toEqual([
        'api ended (SIGKILL); restarting in 0.25 s.',
        'api was started again.',
      ]),
    );
    expect(options.print.mock.calls.map(([, level]) => level)).toEqual(['warn', 'info']);
    await kept.stop();
    expect(second.stop).toHaveBeenCalled();
  });

  it('waits longer after each failed start, and keeps trying', async () => {
    const [first, last] = [fakePart(), fakePart()];
    let failures = 0;
    const start = vi.fn<KeepRunningOptions['start']>(async () => {
      failures += 1;
      if (failures < 3) throw new Error('port taken');
      return last.running;
    });
    const options = { ...setting(), start };
    const kept = keepRunning(options, first.running);
    first.end(killed);
    await vi.waitFor(() => expect(lines(options.print)).toContain('api was started again.'));
    expect(lines(options.print).slice(0, 3)).toEqual([
      'api ended (SIGKILL); restarting in 0.25 s.',
      'api does not start (port taken); trying again in 0.5 s.',
      'api does not start (port taken); trying again in 1 s.',
    ]);
    await kept.stop();
  });

  it('ends a start that is in progress when it is stopped, without a message about it', async () => {
    const first = fakePart();
    const start = vi.fn<KeepRunningOptions['start']>(
      (signal) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
    );
    const options = { ...setting(), start };
    const kept = keepRunning(options, first.running);
    first.end(killed);
    await vi.waitFor(() => expect(start).toHaveBeenCalled());
    await kept.stop();
    expect(lines(options.print)).toEqual(['api ended (SIGKILL); restarting in 0.25 s.']);
  });

  it('does not restart a part that rejects its configuration (exit code 78)', async () => {
    const part = fakePart();
    const options = { ...setting(), start: vi.fn<KeepRunningOptions['start']>(async () => part.running) };
    const kept = keepRunning(options, part.running);
    part.end({ code: 78, reason: 'exit code 78' });
    await vi.waitFor(() => expect(options.onInvalidConfiguration).toHaveBeenCalledOnce());
    expect(options.start).not.toHaveBeenCalled();
    await kept.stop();
  });

  it('stop also ends a part that is being restarted', async () => {
    const [first, late] = [fakePart(), fakePart()];
    let finish: (running: Running) => void = () => {};
    const start = vi.fn<KeepRunningOptions['start']>(
      () => new Promise<Running>((resolve) => (finish = resolve)),
    );
    const kept = keepRunning({ ...setting(), start }, first.running);
    first.end(killed);
    await vi.waitFor(() => expect(start).toHaveBeenCalled());
    const stopping = kept.stop();
    await sleep(20);
    finish(late.running);
    await stopping;
    expect(late.stop).toHaveBeenCalled();
  });

  it('prints nothing when the part ends because of stop', async () => {
    const part = fakePart();
    const options = { ...setting(), start: vi.fn<KeepRunningOptions['start']>(async () => part.running) };
    await keepRunning(options, part.running).stop();
    expect(options.print).not.toHaveBeenCalled();
    expect(options.start).not.toHaveBeenCalled();
  });
});
