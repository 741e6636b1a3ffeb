const problems: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (_, port) => `port ${port} is in use by another program: stop that program, or set a free port`,
  EACCES: (_, port) => `port ${port} requires more privileges: set a port above 1023`,
  EADDRNOTAVAIL: (host) => `HOST ${host} is not an address of this machine`,
  ENOTFOUND: (host) => `HOST ${host} is unknown`,
};

/** Why a server cannot listen, for one line to the user. */
export function listenProblem({ host, port }: { host: string; port: number }, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  return problems[code]?.(host, port) ?? `cannot listen on ${host}:${port} (${code})`;
}
