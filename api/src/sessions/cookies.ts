import type { FastifyReply, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    /** True behind https: cookies are Secure and take the prefix __Host- or __Secure-. */
    secureCookies: boolean;
  }
}

const sessionCookie = (secure: boolean): string => (secure ? '__Host-rb_session' : 'rb_session');
/** Limited to one path, which the prefix __Host- would forbid. */
const refreshCookie = (secure: boolean): string => (secure ? '__Secure-rb_refresh' : 'rb_refresh');
/** Sent to every call of the api, where a password may be confirmed. */
const deviceCookie = (secure: boolean): string => (secure ? '__Secure-rb_device' : 'rb_device');
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
  if (cookies.refresh)
    reply.setCookie(refreshCookie(secure), cookies.refresh, { ...common, path: '/api/auth' });
}

/** Outlives the session: recognizes a browser that signed in before (accounts/login-failures.ts). */
export function setDeviceCookie(reply: FastifyReply, jwt: string, maxAge: number): void {
  const secure = reply.server.secureCookies;
  reply.setCookie(deviceCookie(secure), jwt, {
    httpOnly: true,
    sameSite: 'lax',
    secure,
    maxAge,
    path: '/api',
  });
}

export const readDeviceCookie = (request: FastifyRequest): string | undefined =>
  request.cookies[deviceCookie(request.server.secureCookies)];

export function clearSessionCookies(reply: FastifyReply): void {
  const secure = reply.server.secureCookies;
  reply.clearCookie(sessionCookie(secure), { path: '/', secure });
  reply.clearCookie(refreshCookie(secure), { path: '/api/auth', secure });
}

export const readSessionCookie = (request: FastifyRequest): string | undefined =>
  request.cookies[sessionCookie(request.server.secureCookies)];
export const readRefreshCookie = (request: FastifyRequest): string | undefined =>
  request.cookies[refreshCookie(request.server.secureCookies)];
