/** A clock that stands still until a test moves it. */
export interface FakeClock {
  now(): Date;
  /** Milliseconds forward. */
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
