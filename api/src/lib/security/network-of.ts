import { isIPv6 } from 'node:net';

/** Prefix of an IPv4-mapped IPv6 address (RFC 4291, 2.5.5.2). */
const mapped = /^::ffff:(?=\d+\.)/iu;

const groupsOf = (part: string): string[] => (part === '' ? [] : part.split(':'));

/**
 * The network that limits count by: an IPv4 address, or the /64 of an IPv6 address, within which a host can choose any
 * number of addresses (RFC 4291, 2.5.1; RFC 8981).
 */
export function networkOf(address: string): string {
  const bare = address.replace(mapped, '');
  if (!isIPv6(bare)) return bare;
  const [whole = ''] = bare.split('%', 1);
  const [front = '', back] = whole.split('::');
  const [head, tail] = [groupsOf(front), groupsOf(back ?? '')];
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => '0');
  const network = [...head, ...zeros, ...tail].slice(0, 4).map((group) => Number.parseInt(group, 16));
  return `${network.map((group) => group.toString(16)).join(':')}::/64`;
}
