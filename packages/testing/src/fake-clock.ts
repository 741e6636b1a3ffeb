/** A clock that changes only when a test sets it. */
export interface FakeClock {
  now(): Date;
  /** Moves the clock forward. */
  advance(milliseconds: number): void;
  set(time: Date | string): void;
}

export function fakeClock(start: Date | string = '2026-03-01T12:00:00.000Z'): FakeClock {
  let time = new Date(start).getTime();
  return {
    now: () => new Date(time),
    advance(milliseconds) {
      time += milliseconds;
    },
    set(moment) {
      time = new Date(moment).getTime();
    },
  };
}
