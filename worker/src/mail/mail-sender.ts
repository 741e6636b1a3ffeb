import { mailWaitingTopic } from '@riskboard/contract';
import type { Relay } from '@riskboard/queue';
import { repeat } from '../housekeeping/repeat.ts';
import { type PostOffice, sendWaitingMails } from './send-mail.ts';

export interface MailSenderOptions extends PostOffice {
  relay: Pick<Relay, 'subscribe'>;
  /** How often waiting mails are looked for, beside being told of them. */
  everyMs?: number;
}

export interface RunningMailSender {
  /** Begins no new mail; what is not sent in time is left for later. */
  close(timeoutMs: number): Promise<void>;
}

/** Sends mails as they are asked for. Any number of senders may run, in any number of processes. */
export function startMailSender({ relay, everyMs = 5000, ...office }: MailSenderOptions): RunningMailSender {
  const { log } = office;
  const closing = new AbortController();
  const tooLate = new AbortController();
  const sender = repeat({
    everyMs,
    work() {
      listen();
      return sendWaitingMails(office, { closing: closing.signal, tooLate: tooLate.signal });
    },
    onError: (err) => log.warn({ err }, 'waiting mails could not be looked for'),
  });

  let listening: Promise<(() => Promise<void>) | undefined> | undefined;
  /** A bell that is not heard delays mails until the next round, so nothing waits for it, and each round tries again. */
  function listen(): void {
    listening ??= relay
      .subscribe(mailWaitingTopic, () => sender.now())
      .catch((err: unknown) => {
        listening = undefined;
        log.warn({ err }, 'the bell for mails is not heard');
        return undefined;
      });
  }
  sender.now();

  return {
    async close(timeoutMs) {
      closing.abort();
      const timer = setTimeout(() => tooLate.abort(), timeoutMs);
      await sender.stop();
      clearTimeout(timer);
      const deafen = await listening;
      await deafen?.().catch(() => undefined);
    },
  };
}
