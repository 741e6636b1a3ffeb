import { loggableError } from '@riskboard/db';
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

/**
 * Escapes all but printable ASCII as `\u`, so that a terminal shows no control or direction character from a request
 * (OWASP ASVS 5.0, 16.4.1). The JSON value is unchanged.
 */
const printable = (line: string): string =>
  line.replaceAll(
    /[^\n -~]/g,
    (unit) => String.raw`\u${(unit.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );

/** Logger options: secrets, queries and the row values of database errors are never logged. */
export function logOptions({ logLevel, logTo = process.stdout }: Pick<ApiConfig, 'logLevel' | 'logTo'>) {
  if (logLevel === false) return false;
  return {
    level: logLevel,
    redact: secrets,
    serializers: { err: loggableError, req: loggableRequest, path: withoutQuery },
    stream: {
      write(line: string) {
        logTo.write(printable(line));
      },
    },
  };
}
