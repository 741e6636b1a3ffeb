import type { OutgoingMessage } from '@riskboard/queue';
import type { Deps } from '../deps.ts';

/** A queue that only remembers what was rung, and can be down or without workers. */
export interface FakeProducer {
  port: Deps['producer'];
  enqueued: OutgoingMessage[];
  down: boolean;
  alive: number;
}

export function fakeProducer(): FakeProducer {
  const answer = async (): Promise<void> => {
    if (fake.down) throw new Error('the queue is not there');
  };
  const fake: FakeProducer = {
    enqueued: [],
    down: false,
    alive: 1,
    port: {
      async enqueue(bells) {
        await answer();
        fake.enqueued.push(...bells);
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
