import { isIP } from 'node:net';
import { z } from 'zod';

/** A text without the blanks around it; a blank variable is not set. */
export const optionalText = () =>
  z
    .string()
    .optional()
    .transform((value) => value?.trim() || undefined);

/** Any text, with its default. */
export const text = (standard: string) => optionalText().transform((value) => value ?? standard);

/** A socket file is named by the parameter `host`, as PostgreSQL's own programs accept it. */
const hasHost = ({ hostname, searchParams }: URL): boolean =>
  hostname !== '' || Boolean(searchParams.get('host'));

/** An address with one of these protocols, a host and this form. */
export const url = (protocols: string[], what: string, form = /./u) =>
  optionalText().refine((value) => {
    if (value === undefined) return true;
    const parsed = URL.parse(value);
    return parsed !== null && protocols.includes(parsed.protocol) && hasHost(parsed) && form.test(value);
  }, `must be ${what}`);

/** Clients decode the login of an address, and throw for a `%` that begins no code. */
function hasValidLogin(address = ''): boolean {
  const { username = '', password = '' } = URL.parse(address) ?? {};
  try {
    return decodeURIComponent(`${username}:${password}`) !== undefined;
  } catch {
    return false;
  }
}

const invalidLogin = 'must have a user and a password in which % is written as %25';

/** The address of a PostgreSQL. */
export const postgresAddress = () =>
  url(
    ['postgres:', 'postgresql:'],
    'a PostgreSQL address such as postgres://user:password@host:5432/name',
  ).refine(hasValidLogin, invalidLogin);

/** A path other than the number of a database would be ignored. */
const redisForm = /^[^/]+\/\/[^/?#]+(?:\/\d*)?(?:[?#].*)?$/u;

/** The address of a Redis. */
export const redisAddress = () =>
  url(
    ['redis:', 'rediss:'],
    'a Redis address such as redis://host:6379 or redis://host:6379/1',
    redisForm,
  ).refine(hasValidLogin, invalidLogin);

/**
 * Scheme, host and port (RFC 6454). Other parts of an address are refused, because they would be ignored. A bare slash
 * is not a path.
 */
const originForm = /^[^/]+\/\/[^/?#@\\]+\/?$/u;

/** The origin of the product in the browser. */
export const origin = () =>
  url(
    ['http:', 'https:'],
    'an origin such as https://risk.example.org, without a path, query or user',
    originForm,
  );

/** Decimal digits only: Number also accepts 1e3, 0x10, and blanks as 0. @returns NaN for any other text */
const wholeNumber = (text: string): number => (/^\d+$/u.test(text) ? Number(text) : NaN);

/** A whole number in a range, with its default. */
export const whole = (min: number, max: number, standard: number) =>
  z
    .string()
    .optional()
    .transform((value = '') => (value.trim() === '' ? standard : wholeNumber(value.trim())))
    .refine(
      (value) => Number.isInteger(value) && value >= min && value <= max,
      `must be a whole number from ${min} to ${max}`,
    );

/** A port without a default. */
export const optionalPort = () =>
  z
    .string()
    .optional()
    .transform((value = '') => (value.trim() === '' ? undefined : wholeNumber(value.trim())))
    .refine(
      (value) => value === undefined || (Number.isInteger(value) && value >= 1 && value <= 65_535),
      'must be a whole number from 1 to 65535',
    );

/** One of several words, with its default. */
export const oneOf = <const T extends readonly [string, ...string[]]>(values: T, standard: T[number]) =>
  text(standard).pipe(z.enum(values, `must be ${values.join(' or ')}`));

/** Addresses or networks (CIDR), separated by commas; `loopback` for this machine. */
export const addresses = () =>
  z
    .string()
    .optional()
    .transform((value) =>
      value === undefined || value.trim() === '' ? [] : value.split(',').map((one) => one.trim()),
    )
    .refine(
      (list) => list.every((one) => one === 'loopback' || isNetwork(one)),
      'must be addresses or networks separated by commas, such as loopback,10.0.0.0/8',
    );

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/u.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

function secretProblem(value: string): string | undefined {
  if (value.length < 32) return 'must have at least 32 characters';
  if (value.trim().length < 32) return 'must have at least 32 characters without the blanks around it';
  return new Set(value.trim()).size === 1 ? 'must not be one repeated character' : undefined;
}

/** A secret that cannot be guessed. */
export const secret = () =>
  z
    .string()
    .optional()
    .transform((value) => (value === '' ? undefined : value))
    .superRefine((value, context) => {
      const message = value === undefined ? undefined : secretProblem(value);
      if (message !== undefined) context.addIssue({ code: 'custom', message });
    });

/** As it is listened on: names in lower case, an IPv6 address without the brackets that it has in a URL. */
export const host = (standard: string) =>
  text(standard).transform((value) => value.toLowerCase().replace(/^\[(.*)\]$/u, '$1'));
