import { describe, expect, it } from 'vitest';
import { isPublicAddress, webhookUrlProblem } from './address.ts';

describe('a public address', () => {
  it.each([
    '93.184.215.14',
    '8.8.8.8',
    '172.15.255.255',
    '172.32.0.1',
    '100.63.255.255',
    '100.128.0.1',
    '2606:4700::1111',
    '2a00:1450:4001:80b::200e',
  ])('is %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    ['this network', '0.0.0.0'],
    ['this network', '0.1.2.3'],
    ['private', '10.0.0.1'],
    ['private', '172.16.0.1'],
    ['private', '172.31.255.255'],
    ['private', '192.168.1.1'],
    ['loopback', '127.0.0.1'],
    ['loopback', '127.255.255.254'],
    ['link-local with metadata', '169.254.169.254'],
    ['metadata of Azure', '168.63.129.16'],
    ['shared address space (CGNAT)', '100.64.0.1'],
    ['shared address space with metadata of Alibaba', '100.100.100.200'],
    ['protocol assignments', '192.0.0.192'],
    ['documentation', '192.0.2.1'],
    ['documentation', '198.51.100.1'],
    ['documentation', '203.0.113.1'],
    ['benchmarks', '198.19.0.1'],
    ['AS112', '192.31.196.1'],
    ['AS112', '192.175.48.1'],
    ['multicast tunnels (AMT)', '192.52.193.1'],
    ['6to4 relays', '192.88.99.1'],
    ['multicast', '224.0.0.1'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['unspecified', '::'],
    ['loopback', '::1'],
    ['IPv4-mapped loopback', '::ffff:127.0.0.1'],
    ['IPv4-mapped public', '::ffff:8.8.8.8'],
    ['IPv4-compatible', '::127.0.0.1'],
    ['NAT64', '64:ff9b::7f00:1'],
    ['local NAT64', '64:ff9b:1::a00:1'],
    ['6to4', '2002:7f00:1::1'],
    ['Teredo', '2001:0:7f00:1::1'],
    ['documentation', '2001:db8::1'],
    ['documentation', '3fff:fff::1'],
    ['AS112', '2620:4f:8000::1'],
    ['unique local', 'fd00:ec2::254'],
    ['link-local', 'fe80::1'],
    ['link-local with its interface', 'fe80::1%eth0'],
    ['multicast', 'ff02::1'],
    ['a name', 'example.org'],
    ['nothing', ''],
  ])('is not one of %s: %s', (_network, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe('the address of a webhook', () => {
  it.each([
    'https://example.org/hook',
    'https://example.org:8443/hook?token=x',
    'https://8.8.8.8/hook',
    'https://[2606:4700::1111]/hook',
  ])('may be %s', (url) => {
    expect(webhookUrlProblem(url, { allowPrivate: false })).toBeUndefined();
  });

  it.each([
    ['http://example.org', 'The address must start with https://.'],
    ['file:///etc/passwd', 'The address must start with https://.'],
    ['https://me:secret@example.org', 'The address must not contain a user name or password.'],
    ['https://example.org@10.0.0.1/', 'The address must not contain a user name or password.'],
    ['https://127.1/', 'Addresses of private networks are not allowed here.'],
    ['https://0177.0.0.1/', 'Addresses of private networks are not allowed here.'],
    ['https://[::ffff:7f00:1]/', 'Addresses of private networks are not allowed here.'],
    ['https://localhost./', 'Addresses of private networks are not allowed here.'],
    ['https://LOCALHOST/', 'Addresses of private networks are not allowed here.'],
    ['https://hook.localhost/', 'Addresses of private networks are not allowed here.'],
    ['https://127.0.0.1./', 'Addresses of private networks are not allowed here.'],
    ['https://2130706433/', 'Addresses of private networks are not allowed here.'],
    ['https://0x7f.1/', 'Addresses of private networks are not allowed here.'],
    ['https://0/', 'Addresses of private networks are not allowed here.'],
    ['https://0.0.0.0/', 'Addresses of private networks are not allowed here.'],
    ['https://１２７.0.0.1/', 'Addresses of private networks are not allowed here.'],
    ['https://[::]/', 'Addresses of private networks are not allowed here.'],
    ['https://[::ffff:a9fe:a9fe]/', 'Addresses of private networks are not allowed here.'],
    ['https://[fe80::1]/', 'Addresses of private networks are not allowed here.'],
    ['example.org', 'Enter a web address such as https://example.org/hook.'],
  ])('may not be %s: %s', (url, problem) => {
    expect(webhookUrlProblem(url, { allowPrivate: false })).toBe(problem);
  });

  it('may be http and private where the operator allows it, and never has a user name', () => {
    expect(webhookUrlProblem('http://10.0.0.1:9000', { allowPrivate: true })).toBeUndefined();
    expect(webhookUrlProblem('http://me@10.0.0.1', { allowPrivate: true })).toBeDefined();
    expect(webhookUrlProblem('ftp://10.0.0.1', { allowPrivate: true })).toBeDefined();
  });
});
