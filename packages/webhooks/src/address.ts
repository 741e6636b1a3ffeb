import { BlockList, isIP } from 'node:net';

type Network = readonly [address: string, bits: number];

/** IPv4 networks that are not public (IANA IPv4 Special-Purpose Address Registry), and multicast. */
const reserved4: readonly Network[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Link-local, with the metadata services of cloud providers.
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  // Multicast, reserved and broadcast.
  ['224.0.0.0', 3],
];

/** Metadata service of Azure (WireServer): a public address that only virtual machines reach. */
const metadata4: readonly Network[] = [['168.63.129.16', 32]];

/**
 * Parts of 2000::/3 that are not public, or that carry IPv4 addresses. All other IPv6 networks, such as loopback,
 * unique local, link-local, multicast, IPv4-mapped and NAT64 addresses, are outside 2000::/3.
 */
const reserved6: readonly Network[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
];

function listOf(type: 'ipv4' | 'ipv6', networks: readonly Network[]): BlockList {
  const list = new BlockList();
  for (const [address, bits] of networks) list.addSubnet(address, bits, type);
  return list;
}

const notPublic4 = listOf('ipv4', [...reserved4, ...metadata4]);
const global6 = listOf('ipv6', [['2000::', 3]]);
const notPublic6 = listOf('ipv6', reserved6);

/** Whether an IP address is one of the public internet; false for anything else, also for other text. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !notPublic4.check(address, 'ipv4');
  // A zone, as in fe80::1%eth0, names an interface of this machine.
  if (version !== 6 || address.includes('%')) return false;
  return global6.check(address, 'ipv6') && !notPublic6.check(address, 'ipv6');
}

/** The host of a URL without the brackets of an IPv6 address and the dot of an absolute name. */
export const hostOf = ({ hostname }: URL): string => hostname.replaceAll(/^\[|\]$/gu, '').replace(/\.$/u, '');

/**
 * Checks the address of a webhook as far as its text shows: names are resolved and checked when it is called.
 * @returns why it is refused; undefined when it is not
 */
export function webhookUrlProblem(
  text: string,
  { allowPrivate }: { allowPrivate: boolean },
): string | undefined {
  if (!URL.canParse(text)) return 'Enter a web address such as https://example.org/hook.';
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:'))
    return 'The address must start with https://.';
  if (url.username !== '' || url.password !== '')
    return 'The address must not contain a user name or password.';
  if (allowPrivate) return undefined;
  const host = hostOf(url);
  if (isIP(host) === 0 ? /(?:^|\.)localhost$/u.test(host) : !isPublicAddress(host))
    return 'Addresses of private networks are not allowed here.';
  return undefined;
}
