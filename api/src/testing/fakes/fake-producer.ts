import type { OutgoingMessage } from '@riskboard/queue';
import type { Deps } from '../../deps.ts';

/** A queue that records its messages and can be down or without workers. */
export interface FakeProducer {
  port: Deps['producer'];
  enqueued: OutgoingMessage[];
  down: boolean;
  alive: number;
}

export function fakeProducer(): FakeProducer {
  const answer = async (): Promise<void> => {
    if (fake.down) throw new Error('the queue is down');
  };
  const fake: FakeProducer = {
    enqueued: [],
    down: false,
    alive: 1,
    port: {
      async enqueue(messages) {
        await answer();
        fake.enqueued.push(...messages);
      },
      ping: answer,
      async workers() {
        await answer();
        return fake.alive;
      },
    },
  };
  return fake;
}
