import { messageOf } from '../../lib/api/errors.ts';
import { toast } from '../../ui/feedback/toast.ts';

/**
 * Does something and says in a toast what came of it.
 * @returns whether it went well
 */
export async function attempt(
  work: () => Promise<unknown>,
  words: { done: string; failure: string },
): Promise<boolean> {
  try {
    await work();
    toast.success(words.done);
    return true;
  } catch (error) {
    toast.error(words.failure, messageOf(error, 'Please try again.'));
    return false;
  }
}
