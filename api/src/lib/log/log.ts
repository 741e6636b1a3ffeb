import { loggableError } from '@riskboard/db';
import type { FastifyRequest } from 'fastify';
import type { ApiConfig } from '../../deps.ts';

/** Header names whose values are secrets, in whatever is logged: plugins log their options at trace. */
const secrets = ['*.headers.cookie', '*.headers.authorization', '*.headers["set-cookie"]'];

/** Links carry tokens in their query (`/reset-password?token=…`): no query is ever logged. */
const withoutQuery = (url: string): string => url.split('?', 1)[0] ?? '';

/** What is known of a request before anybody looked at it. */
const loggableRequest = ({ method, url, host, ip }: FastifyRequest) => ({
  method,
  url: withoutQuery(url),
  host,
  remoteAddress: ip,
});

/**
 * A line of JSON in printable ASCII, the rest as `\u` escapes: whoever reads it at a terminal is shown no control or
 * direction character of a stranger's (OWASP ASVS 5.0, 16.4.1). It still parses to the same.
 */
const printable = (line: string): string =>
  line.replaceAll(
    /[^\n -~]/g,
    (unit) => String.raw`\u${(unit.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );

/** How the api logs: never a secret, a query or the row that an error happened to. */
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
