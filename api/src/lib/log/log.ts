import { loggableError } from '@riskboard/db';
import { logDestination } from '@riskboard/operation';
import type { FastifyRequest } from 'fastify';
import type { ApiConfig } from '../../deps.ts';

/** Headers with secrets, redacted wherever they are logged: plugins log their options at trace. */
const secrets = ['*.headers.cookie', '*.headers.authorization', '*.headers["set-cookie"]'];

/** Queries are never logged: links contain tokens (`/reset-password?token=…`). */
const withoutQuery = (url: string): string => url.split('?', 1)[0] ?? '';

/** Fields of a request that are logged. */
const loggableRequest = ({ method, url, host, ip }: FastifyRequest) => ({
  method,
  url: withoutQuery(url),
  host,
  remoteAddress: ip,
});

/** Logger options: secrets, queries and the row values of database errors are never logged. */
export function logOptions({
  logLevel,
  logTo = logDestination('api'),
}: Pick<ApiConfig, 'logLevel' | 'logTo'>) {
  if (logLevel === false) return false;
  return {
    name: 'api',
    level: logLevel,
    redact: secrets,
    serializers: { err: loggableError, req: loggableRequest, path: withoutQuery },
    stream: logTo,
  };
}
