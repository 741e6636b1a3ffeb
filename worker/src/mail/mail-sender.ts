import { mailWaitingTopic } from '@riskboard/contract';
import type { Relay } from '@riskboard/queue';
import { repeat } from '../housekeeping/repeat.ts';
import { reportError } from '../jobs/run/publish.ts';
import { type MailDeps, sendDueMails } from './send-mail.ts';

export interface MailSenderOptions extends MailDeps {
  relay: Pick<Relay, 'subscribe'>;
  /** Polling interval, in case a notification is lost. */
  everyMs?: number;
}

export interface RunningMailSender {
  /** Starts no further mail; after `timeoutMs` aborts those being sent, which are sent later. */
  close(timeoutMs: number): Promise<void>;
}

/** Sends mails soon after they are requested. Several senders may run at once, in one or more processes. */
export function startMailSender({ relay, everyMs = 5000, ...deps }: MailSenderOptions): RunningMailSender {
  const closing = new AbortController();
  const aborting = new AbortController();
  const deliveries = new Set<Promise<void>>();
  const sender = repeat({
    everyMs,
    work() {
      subscribe();
      return sendDueMails(deps, { closing: closing.signal, aborting: aborting.signal }, deliveries);
    },
    onError: (err) => reportError(deps, err, 'due mails not read'),
  });

  let subscription: Promise<(() => Promise<void>) | undefined> | undefined;
  /** Not awaited: without notifications mails wait for the next poll, and each poll tries to subscribe again. */
  function subscribe(): void {
    subscription ??= relay
      .subscribe(mailWaitingTopic, () => sender.now())
      .catch((err: unknown) => {
        subscription = undefined;
        reportError(deps, err, 'mail notifications unavailable; polling');
        return undefined;
      });
  }
  sender.now();

  return {
    async close(timeoutMs) {
      closing.abort();
      const timer = setTimeout(() => aborting.abort(), timeoutMs);
      await sender.stop();
      await Promise.all(deliveries);
      clearTimeout(timer);
      const unsubscribe = await subscription;
      await unsubscribe?.().catch(() => undefined);
    },
  };
}
