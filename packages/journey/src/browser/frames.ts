import type { Page } from 'playwright-core';
import { ServerMessage } from '@riskboard/contract/schemas';

/** Everything that a page heard on its event sockets, in order and checked against the contract. */
export function listenToSocket(page: Page): ServerMessage[] {
  const heard: ServerMessage[] = [];
  page.on('websocket', (socket) => {
    if (!socket.url().endsWith('/api/events')) return;
    socket.on('framereceived', ({ payload }) => heard.push(ServerMessage.parse(JSON.parse(String(payload)))));
  });
  return heard;
}

/** States that a file's jobs of one kind went through on the socket. */
export const statesHeard = (heard: readonly ServerMessage[], fileName: string, kind: string): string[] =>
  heard.flatMap((message) =>
    message.type === 'job.updated' && message.job.fileName === fileName && message.job.kind === kind
      ? [message.job.state]
      : [],
  );
