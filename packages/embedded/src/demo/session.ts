/** A signed-in user of the api on this machine. */
export interface Session {
  /** URL of the api. */
  base: string;
  /** The origin that the api accepts writes from. */
  origin: string;
  cookie: string;
  signal: AbortSignal;
}

export interface Call {
  method?: 'GET' | 'POST' | 'PUT';
  path: string;
  /** Sent as JSON, or as it is when it is a form. */
  body?: object;
}

/** @throws when the answer is an error, with its text */
export async function call<Reply>(session: Session, { method = 'GET', path, body }: Call): Promise<Reply> {
  const isForm = body instanceof FormData;
  const reply = await fetch(`${session.base}${path}`, {
    method,
    headers: {
      cookie: session.cookie,
      origin: session.origin,
      ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    signal: session.signal,
  });
  if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status}: ${await reply.text()}`);
  return (await reply.json()) as Reply;
}
