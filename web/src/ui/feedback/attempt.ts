import { messageOf } from '../../lib/api/errors.ts';
import { toast } from './toast.ts';

/**
 * Runs an action and shows its outcome in a toast.
 * @returns whether the action succeeded
 */
export async function attempt(
  action: () => Promise<unknown>,
  messages: { done: string; failure: string },
): Promise<boolean> {
  try {
    await action();
    toast.success(messages.done);
    return true;
  } catch (error) {
    toast.error(messages.failure, messageOf(error, 'Please try again.'));
    return false;
  }
}
