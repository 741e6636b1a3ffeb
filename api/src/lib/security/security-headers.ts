import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

/** Browser features that Riskboard does not use, denied to injected code too. */
const permissions = [
  'accelerometer',
  'browsing-topics',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
  'xr-spatial-tracking',
]
  .map((feature) => `${feature}=()`)
  .join(', ');

/**
 * One year, including subdomains, because a cookie set by a plain-http subdomain would be sent here. No preload: it
 * applies to the whole domain, which is the domain owner's decision.
 */
const transportSecurity = { maxAge: 31_536_000, includeSubDomains: true, preload: false };

/** Headers of every reply; pages and downloads set their own content security policy. */
export async function securityHeaders(app: FastifyInstance, secure: boolean): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    hsts: secure ? transportSecurity : false,
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
  });
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('permissions-policy', permissions);
  });
  app.addHook('onSend', async (request, reply) => {
    if (request.url.startsWith('/api/') && !reply.hasHeader('cache-control'))
      reply.header('cache-control', 'no-store');
  });
}

/** The same headers for replies to malformed requests, for which no hook runs. */
export const bareHeaders = (secure: boolean): Record<string, string> => ({
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': permissions,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  ...(secure
    ? { 'strict-transport-security': `max-age=${transportSecurity.maxAge}; includeSubDomains` }
    : {}),
});
