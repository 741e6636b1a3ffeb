import type { FastifyReply, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    /** True behind https: cookies are Secure and the session cookie takes the __Host- prefix. */
    secureCookies: boolean;
  }
}

const sessionCookie = (secure: boolean): string => (secure ? '__Host-rb_session' : 'rb_session');
const refreshCookie = 'rb_refresh';
const deviceCookie = 'rb_device';
/** Seconds; the session itself expires by the server's clock (contract, Accounts). */
const longest = 7 * 24 * 3600;

export interface SessionCookies {
  jwt: string;
  /** Absent when the refresh secret did not change. */
  refresh?: string;
}

export function setSessionCookies(reply: FastifyReply, cookies: SessionCookies): void {
  const secure = reply.server.secureCookies;
  const common = { httpOnly: true, sameSite: 'lax', secure, maxAge: longest } as const;
  reply.setCookie(sessionCookie(secure), cookies.jwt, { ...common, path: '/' });
  if (cookies.refresh) reply.setCookie(refreshCookie, cookies.refresh, { ...common, path: '/api/auth' });
}

/** Outlives the session: recognizes a browser that signed in before (accounts/login-failures.ts). */
export function setDeviceCookie(reply: FastifyReply, jwt: string, maxAge: number): void {
  const secure = reply.server.secureCookies;
  reply.setCookie(deviceCookie, jwt, { httpOnly: true, sameSite: 'lax', secure, maxAge, path: '/api' });
}

export const readDeviceCookie = (request: FastifyRequest): string | undefined =>
  request.cookies[deviceCookie];

export function clearSessionCookies(reply: FastifyReply): void {
  const secure = reply.server.secureCookies;
  reply.clearCookie(sessionCookie(secure), { path: '/', secure });
  reply.clearCookie(refreshCookie, { path: '/api/auth', secure });
}

export const readSessionCookie = (request: FastifyRequest): string | undefined =>
  request.cookies[sessionCookie(request.server.secureCookies)];
export const readRefreshCookie = (request: FastifyRequest): string | undefined =>
  request.cookies[refreshCookie];
