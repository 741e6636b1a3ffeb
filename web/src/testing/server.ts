import {
  errors,
  type Endpoint,
  type ErrorCode,
  type ErrorReply,
  type Reply,
  type ServedEndpoint,
  type Streamed,
} from '@riskboard/contract';
import { contract } from '@riskboard/contract/schemas';
import { http, HttpResponse, type HttpHandler, type PathParams } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { z } from 'zod';
import { currentTestHasEnded, endRequestsWithTest, requireRunningTest } from './current-test.ts';

/** The mocked network: a call without a handler fails. */
export const server = setupServer();

const { use } = server;
/** Fails for code that still runs after its test, such as a timer: the handlers would be those of another test. */
server.use = (...handlers) => {
  requireRunningTest();
  use.apply(server, handlers);
};

/** Intercepts all calls of the tests in a file. */
export function useServer(): void {
  let restoreFetch: () => void;
  beforeAll(() => {
    server.listen({ onUnhandledFrame: 'error' });
    restoreFetch = endRequestsWithTest();
  });
  afterEach(() => server.resetHandlers());
  afterAll(() => {
    restoreFetch();
    server.close();
  });
}

const methods = { GET: http.get, POST: http.post, PUT: http.put, DELETE: http.delete } as const;

export interface ReceivedCall {
  request: Request;
  url: URL;
  params: PathParams;
}

/** A body that matches the contract, or a response such as `refusal('invalid')`. */
type Answer<E extends Endpoint> = (call: ReceivedCall) => Answered<E> | Promise<Answered<E>>;
type Answered<E extends Endpoint> = Reply<E> | Response | undefined;

/** Status and schema of a successful reply; the endpoint itself has no schemas in the browser. */
function firstReply({ method, path }: Endpoint): [status: string, schema: z.ZodType | Streamed] {
  const endpoints: ServedEndpoint[] = Object.values(contract).flatMap((table) => Object.values(table));
  const served = endpoints.find((one) => one.method === method && one.path === path);
  const [reply] = Object.entries(served?.reply ?? {});
  if (reply === undefined) throw new Error(`${method} ${path} is not an endpoint of the contract.`);
  return reply;
}

/**
 * Handler of an endpoint of the contract: `server.use(answer(reports.files, () => …))`. A body that violates the
 * endpoint's schema fails the test; an undefined body is a 404.
 */
export function answer<E extends Endpoint>(endpoint: E, reply: Answer<NoInfer<E>>): HttpHandler {
  const [status, schema] = firstReply(endpoint);
  return methods[endpoint.method](`*${endpoint.path}`, async ({ request, params }) => {
    // The request began in an earlier test: it is not one of the calls that this handler answers and counts.
    if (currentTestHasEnded()) return HttpResponse.error();
    const body = await reply({ request, url: new URL(request.url), params });
    if (body instanceof Response) return body;
    if (body === undefined) return refusal('not_found');
    if (schema instanceof z.ZodType) schema.parse(body);
    return HttpResponse.json(body as object, { status: Number(status) });
  });
}

/** Answers an endpoint and counts its calls. */
export function counted<E extends Endpoint>(endpoint: E, reply: Answer<NoInfer<E>>): { times: number } {
  const count = { times: 0 };
  server.use(
    answer(endpoint, (call) => {
      count.times += 1;
      return reply(call);
    }),
  );
  return count;
}

/** The reply to a call that starts a job. */
export const accepted = (jobId: string) => HttpResponse.json({ jobId, message: 'Started' }, { status: 202 });

/** An error reply of the API. */
export const refusal = (
  code: ErrorCode,
  message: string = errors[code].fallback,
  details?: ErrorReply['details'],
) =>
  HttpResponse.json(
    {
      statusCode: errors[code].status,
      code,
      error: errors[code].error,
      message,
      requestId: 'request-1',
      ...(details !== undefined && { details }),
    } satisfies ErrorReply,
    { status: errors[code].status },
  );
