/** A plain `ws` server that sends what it receives from the relay to every client. Started by events.ts. */
import { organizationTopics } from '@riskboard/contract';
import { openRelay } from '@riskboard/queue';
import { WebSocketServer } from 'ws';
import { type FloorOptions } from './events-messages.ts';

const { queue, organizationId } = JSON.parse(process.argv[2] ?? '') as FloorOptions;
const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
const relay = openRelay(queue, { onError: (error) => console.error(error.message) });
await relay.subscribe(organizationTopics(organizationId), (message) => {
  const text = JSON.stringify(message);
  for (const client of server.clients) client.send(text);
});
const address = server.address();
process.send?.(typeof address === 'object' ? address?.port : 0);
process.on('disconnect', () => process.exit(0));
