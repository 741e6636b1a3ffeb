import type { Page } from 'playwright-core';
import { ServerMessage } from '@riskboard/contract/schemas';

/** Records the messages of a page's event sockets, in order and checked against the contract. */
export function listenToSocket(page: Page): ServerMessage[] {
  const received: ServerMessage[] = [];
  page.on('websocket', (socket) => {
    if (new URL(socket.url()).pathname !== '/api/events') return;
    socket.on('framereceived', ({ payload }) =>
      received.push(ServerMessage.parse(JSON.parse(String(payload)))),
    );
  });
  return received;
}

/** States of a file's jobs of one kind, in the order received. */
export const receivedStates = (
  received: readonly ServerMessage[],
  fileName: string,
  kind: string,
): string[] =>
  received.flatMap((message) =>
    message.type === 'job.updated' && message.job.fileName === fileName && message.job.kind === kind
      ? [message.job.state]
      : [],
  );
