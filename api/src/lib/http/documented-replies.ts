import type { ServedEndpoint } from '@riskboard/contract';
import { Accepted } from '@riskboard/contract/schemas';

/** What a reply means, by its status. */
export function describeReply(status: string, { method, reply }: ServedEndpoint): string {
  if (status === '200') {
    if (reply[202] !== undefined) return 'The result: no job was needed, or it ended within `Prefer: wait`.';
    return method === 'GET' ? 'The requested data.' : 'The call has succeeded.';
  }
  if (status === '202')
    return reply[202] === Accepted ? 'A job was started: `Location` is its path.' : 'The call was accepted.';
  return descriptions[status] ?? '';
}

const descriptions: Readonly<Record<string, string>> = {
  201: 'The record was created.',
  412: '`If-Match` names another version than the current one, which `ETag` has. Nothing was changed.',
  429: 'Too many calls: `Retry-After` has the seconds to wait.',
  '4xx': 'The call was refused. `code` has the reason, `details` the fields concerned.',
  '5xx': 'The call has failed. With `Retry-After`, it may succeed later.',
};
