import { mailWaitingTopic } from '@riskboard/contract';
import type { Relay } from './relay.ts';

/** Notifies the workers of waiting mail. A message that is lost only delays the mail until their next poll, after 5 s. */
export const notifyMailSender = (relay: Pick<Relay, 'publish'>): Promise<void> =>
  relay.publish(mailWaitingTopic, {}).catch(() => undefined);
