/** Nobody answered in time. The work may still land later: whatever it asked for must be harmless twice. */
export class DeadlineExceeded extends Error {
  constructor(what: string, milliseconds: number) {
    super(`${what}: no answer within ${milliseconds} ms`);
    this.name = 'DeadlineExceeded';
  }
}

/** What is waited for, by the name that the error says. */
interface Awaited<T> {
  what: string;
  work: Promise<T>;
}

/** @throws DeadlineExceeded when `work` has not settled after `milliseconds`; its later failure is nobody's. */
export async function within<T>(milliseconds: number, { what, work }: Awaited<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new DeadlineExceeded(what, milliseconds)), milliseconds);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** @returns whether `work` settled, well or badly, before `milliseconds` were over. */
export async function settles(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  return within(milliseconds, { what: 'settles', work }).then(
    () => true,
    (error: unknown) => !(error instanceof DeadlineExceeded),
  );
}
