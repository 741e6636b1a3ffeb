import { organizationsChangedTopic } from '@riskboard/contract';
import type { RelayHandler } from '@riskboard/queue';
import type { Deps } from '../../deps.ts';

/** A relay within this process, for one or more applications, that records what is published. */
export interface MemoryRelay {
  port: Deps['relay'];
  /** Without the announcements to workers, of which a timer decides when they are sent. */
  published: { topic: string; message: unknown }[];
  subscriptions(): number;
}

/** `*` matches one segment, and a final `>` one or more. */
function matches(pattern: string, topic: string): boolean {
  const [segments, given] = [pattern.split('.'), topic.split('.')];
  const isOpen = segments.at(-1) === '>';
  const fixed = isOpen ? segments.slice(0, -1) : segments;
  if (isOpen ? given.length <= fixed.length : given.length !== fixed.length) return false;
  return fixed.every((segment, n) => segment === '*' || segment === given[n]);
}

export function memoryRelay(): MemoryRelay {
  const subscribers = new Set<{ pattern: string; handler: RelayHandler }>();
  const published: MemoryRelay['published'] = [];
  return {
    published,
    subscriptions: () => subscribers.size,
    port: {
      async publish(topic, message) {
        const wire = JSON.stringify(message);
        if (topic !== organizationsChangedTopic) published.push({ topic, message: JSON.parse(wire) });
        for (const { pattern, handler } of subscribers)
          if (matches(pattern, topic)) await handler(JSON.parse(wire), topic);
      },
      async subscribe(pattern, handler) {
        const subscriber = { pattern, handler };
        subscribers.add(subscriber);
        return async () => void subscribers.delete(subscriber);
      },
    },
  };
}
