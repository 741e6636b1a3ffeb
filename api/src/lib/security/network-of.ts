import { isIPv6 } from 'node:net';

/** IPv4 as a socket for both kinds of addresses shows it (RFC 4291, 2.5.5.2). */
const mapped = /^::ffff:(?=\d+\.)/iu;

const groupsOf = (part: string): string[] => (part === '' ? [] : part.split(':'));

/**
 * Whom limits count as one: an IPv4 address, or the 64 bits of an IPv6 network, within which any host takes as many
 * addresses as it likes (RFC 4291, 2.5.1; RFC 8981).
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
