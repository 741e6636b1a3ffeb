import type { Role, User } from '@riskboard/contract';
import { withOrganization } from '@riskboard/db';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { form, type FormFile } from './form.ts';
import { origin, type TestApi } from './start-api.ts';

export type Answer = LightMyRequestResponse;
export const password = 'correct horse battery staple';

/** A person in a browser: keeps cookies, sends its origin, has an own address. */
export interface Person {
  user: User;
  cookies: Map<string, string>;
  call(options: InjectOptions): Promise<Answer>;
  get(url: string): Promise<Answer>;
  post(url: string, body?: object): Promise<Answer>;
  delete(url: string, body?: object): Promise<Answer>;
  upload(file: FormFile, query?: string): Promise<Answer>;
  /** Changes this person's role. */
  becomes(role: Role): Promise<void>;
}

let people = 0;
let addresses = 0;

/** An IP address that no other test uses, so that limits by address do not interfere. */
export const freshAddress = (): string => {
  addresses += 1;
  return `10.0.${addresses >> 8}.${addresses & 255}`;
};

export const freshEmail = (): string => {
  people += 1;
  return `person-${people}@example.org`;
};

function keepCookies(cookies: Map<string, string>, answer: Answer): void {
  for (const cookie of answer.cookies) {
    if (cookie.value === '') cookies.delete(cookie.name);
    else cookies.set(cookie.name, cookie.value);
  }
}

export const cookieHeader = (cookies: Map<string, string>): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

type Headers = Record<string, string | undefined>;

/** Removes headers set to undefined. */
const present = (headers: Headers): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

/** A browser without a session: `visitor(api).post('/api/auth/login', …)`. */
export function visitor({ app, database }: TestApi): Person {
  const cookies = new Map<string, string>();
  const remoteAddress = freshAddress();

  async function call(options: InjectOptions): Promise<Answer> {
    const answer = await app.inject({
      remoteAddress,
      ...options,
      headers: present({ origin, cookie: cookieHeader(cookies), ...(options.headers as Headers) }),
    });
    keepCookies(cookies, answer);
    return answer;
  }

  const person: Person = {
    user: {} as User,
    cookies,
    call,
    get: (url) => call({ method: 'GET', url }),
    post: (url, body) => call({ method: 'POST', url, ...(body ? { body } : {}) }),
    delete: (url, body) => call({ method: 'DELETE', url, ...(body ? { body } : {}) }),
    upload: (file, query = '') => call({ method: 'POST', url: `/api/reports/upload${query}`, ...form(file) }),
    async becomes(role) {
      const { organizationId, _id } = person.user;
      await withOrganization(database, organizationId, (trx) =>
        trx.updateTable('membership').set({ role }).where('account_id', '=', _id).execute(),
      );
    },
  };
  return person;
}

/** Another browser with a copy of all cookies of a person. */
export function copyOf(api: TestApi, person: Person): Person {
  const copy = visitor(api);
  for (const [name, value] of person.cookies) copy.cookies.set(name, value);
  return copy;
}

/** A person with an organization of their own, signed in. */
export async function signUp(api: TestApi, details: { email?: string } = {}): Promise<Person> {
  const person = visitor(api);
  const body = { email: details.email ?? freshEmail(), password, firstName: 'Ada' };
  const answer = await person.post('/api/auth/signup', body);
  if (answer.statusCode !== 201) throw new Error(`sign-up answered ${answer.statusCode}: ${answer.body}`);
  person.user = answer.json<{ user: User }>().user;
  return person;
}
