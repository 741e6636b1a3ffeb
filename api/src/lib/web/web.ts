import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import { errors, sessionMeta } from '@riskboard/contract';
import { hasWeb } from '@riskboard/operation';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorReply } from '../http/error-handler.ts';
import { Failure } from '../http/failure.ts';
import { readSessionCookie } from '../../sessions/cookies.ts';
import { readPages } from './pages.ts';

/** Content security policy without unsafe-inline; styles inserted by libraries have the page's nonce. */
const policy = (nonce: string): string =>
  [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "worker-src 'self' blob:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

const svg = 'image/svg+xml';
const ofApi = /^\/api(?:\/|$)/u;

const addressOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0] ?? '';
const acceptsHtml = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('text/html') ?? false;

/** Whether the request is for an existing file of the web build. */
export const isWebFile = (request: FastifyRequest): boolean =>
  !request.is404 && path.extname(request.routeOptions.url ?? '') !== '' && !ofApi.test(request.url);

/**
 * Serves the web build: hashed files cached for a year; index.html uncached for every page, with a nonce, preload
 * links and whether the browser has a session. An unknown address is 404, for a browser with index.html; a path of the api with another method is 405. Logs a
 * warning when the build is missing; without a folder, another server has the pages.
 */
export async function serveWeb(app: FastifyInstance, root: string | undefined): Promise<void> {
  const index = root && hasWeb(root) ? readFileSync(path.join(root, 'index.html'), 'utf8') : undefined;
  if (root && index === undefined)
    app.log.warn(
      { folder: root },
      'the web is not built: every page is 404. Run pnpm run build, then start the api again',
    );

  const pages = readPages(root ?? '.');

  const sendPage = (reply: FastifyReply, html: string) => {
    const { request } = reply;
    const isSignedIn = readSessionCookie(request) !== undefined;
    const meta = isSignedIn ? '' : `<meta name="${sessionMeta}" content="none">`;
    const page = html.replace('</head>', `${meta}${pages.preloads(request.url, { isSignedIn })}</head>`);
    const nonce = randomBytes(16).toString('base64');
    return reply
      .header('content-security-policy', policy(nonce))
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(page.replaceAll('__CSP_NONCE__', nonce));
  };

  if (root && index) {
    // The static plugin sends SVG without a charset (ASVS 5.0, 4.1.1).
    app.addHook('onSend', async (_request, reply) => {
      if (reply.getHeader('content-type') === svg) reply.type(`${svg}; charset=utf-8`);
    });
    await app.register(fastifyStatic, {
      root,
      index: false,
      wildcard: false,
      // Only sent by sendPage, with nonce and policy.
      globIgnore: ['index.html*'],
      preCompressed: true,
      setHeaders(reply, file) {
        const hashed = file.includes(`${path.sep}assets${path.sep}`);
        reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'public, max-age=300');
      },
    });
    app.get('/', { schema: { hide: true } }, (_request, reply) => sendPage(reply, index));
  }

  // Requests for unknown routes count against the rate limit too.
  app.setNotFoundHandler({ preHandler: app.rateLimit() }, (request, reply) => {
    const address = addressOf(request);
    const mayBePage =
      (request.method === 'GET' || request.method === 'HEAD') &&
      !ofApi.test(address) &&
      !path.extname(address);
    if (index && mayBePage && pages.has(address)) return sendPage(reply, index);
    // The app says "Page not found". Other clients, such as a monitor that requests /metrics, must not read a page.
    if (index && mayBePage && acceptsHtml(request)) return sendPage(reply.status(404), index);
    const allowed = app.methodsOf(address);
    const failure =
      allowed.length > 0
        ? new Failure('method_not_allowed', `Use ${allowed.join(' or ')}.`, {
            headers: { allow: allowed.join(', ') },
          })
        : new Failure('not_found');
    return reply
      .status(errors[failure.code].status)
      .headers(failure.headers)
      .type('application/json; charset=utf-8')
      .send(errorReply(failure, request.id));
  });
}
