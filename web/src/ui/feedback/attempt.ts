import { messageOf } from '../../lib/api/errors.ts';
import { toast } from './toast.ts';

/**
 * Runs an action and shows its outcome in a toast, instead of the failure of its last attempt.
 * @returns whether the action succeeded
 */
export async function attempt(
  action: () => Promise<unknown>,
  messages: { done: string; failure: string },
): Promise<boolean> {
  const id = messages.failure;
  toast.close(id);
  try {
    await action();
    toast.success(messages.done);
    return true;
  } catch (error) {
    toast.error(messages.failure, messageOf(error, 'Please try again.'), { id });
    return false;
  }
}
