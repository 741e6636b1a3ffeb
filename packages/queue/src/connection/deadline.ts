/** No answer in time. The work may still take effect later, so it must be safe to repeat. */
class DeadlineExceeded extends Error {
  constructor(what: string, milliseconds: number) {
    super(`${what}: no answer within ${milliseconds} ms`);
    this.name = 'DeadlineExceeded';
  }
}

/** Work to wait for, with its name in the error. */
interface Awaited<T> {
  what: string;
  work: Promise<T>;
}

/** @throws DeadlineExceeded when `work` has not settled after `milliseconds`; its later failure is ignored. */
export async function within<T>(milliseconds: number, { what, work }: Awaited<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new DeadlineExceeded(what, milliseconds)), milliseconds);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** @returns whether `work` resolved or rejected within `milliseconds`. */
export async function settles(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  return within(milliseconds, { what: 'settles', work }).then(
    () => true,
    (error: unknown) => !(error instanceof DeadlineExceeded),
  );
}
