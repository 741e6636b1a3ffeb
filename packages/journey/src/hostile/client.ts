import { randomUUID } from 'node:crypto';
import { ErrorReply } from '@riskboard/contract/schemas';
import { repeatUnavailable } from '../support/repeat-unavailable.ts';

/** What became of one input. */
export interface Outcome {
  kind: 'accepted' | 'refused' | 'server error' | 'unclear refusal';
  status: number;
  /** The message of a refusal. */
  message: string;
  body: unknown;
}

export interface Client {
  /** A project that assets are created in. */
  projectId: string;
  call(method: string, path: string, body?: object): Promise<Outcome>;
  upload(path: string, field: string, file: { fileName: string; content: Buffer }): Promise<Outcome>;
}

const password = 'correct horse battery staple';

async function outcomeOf(answer: Response): Promise<Outcome> {
  const { status } = answer;
  const text = await answer.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = text;
  }
  if (status < 400) return { kind: 'accepted', status, message: '', body };
  if (status >= 500) return { kind: 'server error', status, message: text.slice(0, 200), body };
  const reply = ErrorReply.safeParse(body);
  if (!reply.success) return { kind: 'unclear refusal', status, message: text.slice(0, 200), body };
  return { kind: 'refused', status, message: reply.data.message, body };
}

/** Signs up a new organization. A caller that reaches a limit of calls logs in again, which counts anew. */
export async function signUp(origin: string): Promise<Client> {
  const email = `hostile-${randomUUID()}@example.org`;
  const send = (
    method: string,
    path: string,
    init: { cookie?: string; body?: BodyInit | undefined; json?: boolean },
  ) =>
    repeatUnavailable(() =>
      fetch(`${origin}/api${path}`, {
        method,
        headers: {
          origin,
          ...(init.cookie ? { cookie: init.cookie } : {}),
          ...(init.json ? { 'content-type': 'application/json' } : {}),
        },
        ...(init.body === undefined ? {} : { body: init.body }),
      }),
    );
  const cookieOf = (answer: Response): string => {
    if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}`);
    return answer.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
  };
  const account = JSON.stringify({ email, password, firstName: 'Ada', organization: 'Northquay' });
  let cookie = cookieOf(await send('POST', '/auth/signup', { body: account, json: true }));

  async function withSession(run: (cookie: string) => Promise<Response>): Promise<Outcome> {
    let answer = await run(cookie);
    if (answer.status === 429 || answer.status === 401) {
      await answer.body?.cancel();
      const login = await send('POST', '/auth/login', {
        body: JSON.stringify({ email, password }),
        json: true,
      });
      cookie = cookieOf(login);
      answer = await run(cookie);
    }
    return outcomeOf(answer);
  }

  const call: Client['call'] = (method, path, body) =>
    withSession((current) =>
      send(method, path, {
        cookie: current,
        ...(body === undefined ? {} : { body: JSON.stringify(body), json: true }),
      }),
    );
  const project = await call('POST', '/projects', {
    name: 'Harbour',
    description: 'Cranes and locks',
    startDate: '2026-01-05',
  });
  return {
    projectId: (project.body as { _id: string })._id,
    call,
    upload(path, field, { fileName, content }) {
      const form = () => {
        const made = new FormData();
        made.set(field, new Blob([new Uint8Array(content)]), fileName);
        return made;
      };
      return withSession((current) => send('POST', path, { cookie: current, body: form() }));
    },
  };
}
