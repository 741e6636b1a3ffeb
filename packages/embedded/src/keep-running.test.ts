import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, type Mock, vi } from 'vitest';
import { type Care, type Exit, keepRunning, type Running } from './keep-running.ts';

/** A part that ends when the test says so. */
function fakePart() {
  let end: (exit: Exit) => void = () => {};
  const exited = new Promise<Exit>((resolve) => (end = resolve));
  const stop = vi.fn<Running['stop']>(async () => end({ code: 0, reason: 'exit code 0' }));
  return { running: { exited, stop } satisfies Running, end: (exit: Exit) => end(exit), stop };
}

const killed: Exit = { code: null, reason: 'SIGKILL' };
const setting = () => ({ name: 'api', say: vi.fn<Care['say']>(), refused: vi.fn<Care['refused']>() });

const lines = (say: Mock<Care['say']>): string[] => say.mock.calls.map(([line]) => line);

describe('keepRunning', () => {
  it('starts again what died, saying why and when', async () => {
    const [first, second] = [fakePart(), fakePart()];
    const care = { ...setting(), start: vi.fn<Care['start']>(async () => second.running) };
    const kept = keepRunning(care, first.running);
    first.end(killed);
    await vi.waitFor(() => expect(care.start).toHaveBeenCalledTimes(1), 2000);
    await vi.waitFor(() =>
      expect(lines(care.say)).toEqual([
        'api ended (SIGKILL); starting it again in 0.25 s.',
        'api is started again.',
      ]),
    );
    await kept.stop();
    expect(second.stop).toHaveBeenCalled();
  });

  it('waits longer each time while starting fails, and keeps trying', async () => {
    const [first, last] = [fakePart(), fakePart()];
    let failures = 0;
    const start = vi.fn<Care['start']>(async () => {
      failures += 1;
      if (failures < 3) throw new Error('port taken');
      return last.running;
    });
    const care = { ...setting(), start };
    const kept = keepRunning(care, first.running);
    first.end(killed);
    await vi.waitFor(() => expect(lines(care.say)).toContain('api is started again.'), 4000);
    expect(lines(care.say).slice(0, 3)).toEqual([
      'api ended (SIGKILL); starting it again in 0.25 s.',
      'api does not start (port taken); trying again in 0.5 s.',
      'api does not start (port taken); trying again in 1 s.',
    ]);
    await kept.stop();
  });

  it('does not start again what refuses its configuration (exit code 78)', async () => {
    const part = fakePart();
    const care = { ...setting(), start: vi.fn<Care['start']>(async () => part.running) };
    const kept = keepRunning(care, part.running);
    part.end({ code: 78, reason: 'exit code 78' });
    await vi.waitFor(() => expect(care.refused).toHaveBeenCalledOnce());
    expect(care.start).not.toHaveBeenCalled();
    await kept.stop();
  });

  it('ends what was just being started when the end came', async () => {
    const [first, late] = [fakePart(), fakePart()];
    let finish: (running: Running) => void = () => {};
    const start = vi.fn<Care['start']>(() => new Promise<Running>((resolve) => (finish = resolve)));
    const kept = keepRunning({ ...setting(), start }, first.running);
    first.end(killed);
    await vi.waitFor(() => expect(start).toHaveBeenCalled(), 2000);
    const stopping = kept.stop();
    await sleep(20);
    finish(late.running);
    await stopping;
    expect(late.stop).toHaveBeenCalled();
  });

  it('is silent about what ends because it was stopped', async () => {
    const part = fakePart();
    const care = { ...setting(), start: vi.fn<Care['start']>(async () => part.running) };
    await keepRunning(care, part.running).stop();
    expect(care.say).not.toHaveBeenCalled();
    expect(care.start).not.toHaveBeenCalled();
  });
});
