import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Person, signUp } from '../../testing/person.ts';
import { startApi, type TestApi } from '../../testing/start-api.ts';

const page =
  '<!doctype html><head></head><script nonce="__CSP_NONCE__"></script><style nonce="__CSP_NONCE__"></style>';
/** What each page needs beyond the entry, as the web's build writes it. */
const pages = {
  '/': ['/assets/home.js'],
  '/login': [],
  '/reset-password': [],
  '/dashboard/threats': ['/api/threats?page=1&sort=name'],
  '/dashboard/threats/$id': ['/api/threats/$id', '/assets/layout.js', '/assets/threat.js'],
  '/dashboard/threats/new': ['/assets/layout.js', '/assets/form.js'],
};
let root: string;
let api: TestApi;
let ada: Person;
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'riskboard-web-'));
  await mkdir(path.join(root, 'assets'));
  await writeFile(path.join(root, 'index.html'), page);
  await writeFile(path.join(root, 'pages.json'), JSON.stringify(pages));
  await writeFile(path.join(root, 'icon.svg'), '<svg/>');
  await writeFile(path.join(root, 'assets/app-1a2b.js'), 'export {}');
  api = await startApi({ webRoot: root });
  ada = await signUp(api);
});
afterAll(async () => {
  await api.close();
  await rm(root, { recursive: true });
});

const policyOf = (answer: Answer): Map<string, string> =>
  new Map(
    String(answer.headers['content-security-policy'])
      .split(';')
      .map((directive) => {
        const [name = '', ...values] = directive.trim().split(/\s+/u);
        return [name, values.join(' ')];
      }),
  );

describe('a reply', () => {
  it('of the api may load nothing and is not cached', async () => {
    const answer = await ada.get('/api/jobs');
    expect(policyOf(answer).get('default-src')).toBe("'none'");
    expect(answer.headers['cache-control']).toBe('no-store');
  });
});

describe('a page', () => {
  it.each([
    ['/', ['/assets/home.js']],
    ['/dashboard/threats/0199f000?tab=graph', ['/assets/layout.js', '/assets/threat.js']],
    ['/dashboard/threats/new', ['/assets/layout.js', '/assets/form.js']],
    ['/dashboard/threats', []],
    ['/dashboard/threats/new/more', []],
  ])('at %s preloads its files', async (url, files) => {
    const { body } = await ada.get(url);
    const links = [...body.matchAll(/<link rel="modulepreload" crossorigin href="([^"]+)">/gu)];
    expect(links.map((link) => link[1])).toEqual(files);
  });

  it('behind the login preloads the call of the account, and others do not', async () => {
    const link = '<link rel="preload" as="fetch" crossorigin href="/api/auth/me">';
    expect((await ada.get('/dashboard/threats/new')).body).toContain(link);
    expect((await ada.get('/login')).body).not.toContain('as="fetch"');
  });

  it.each([
    ['/dashboard/threats', ['/api/threats?page=1&amp;sort=name']],
    ['/dashboard/threats?page=2', []],
    ['/dashboard/threats/0199f000', ['/api/threats/0199f000']],
    ['/dashboard/threats/0199f000?tab=graph', []],
    ['/dashboard/threats/%22onload=x', []],
    ['/dashboard/threats/new', []],
    ['/login', []],
  ])('at %s preloads its first calls', async (url, calls) => {
    const { body } = await ada.get(url);
    const links = [...body.matchAll(/<link rel="preload" as="fetch" crossorigin href="([^"]+)">/gu)];
    expect(links.map((link) => link[1]).filter((href) => href !== '/api/auth/me')).toEqual(calls);
  });

  it('preloads only the call of the account without a session', async () => {
    const { body } = await api.app.inject({ url: '/dashboard/threats', headers: { accept: 'text/html' } });
    expect([...body.matchAll(/as="fetch" crossorigin href="([^"]+)"/gu)].map((link) => link[1])).toEqual([
      '/api/auth/me',
    ]);
  });

  it('says when its browser has no session', async () => {
    const meta = '<meta name="riskboard-session" content="none">';
    const { body } = await api.app.inject({ url: '/login', headers: { accept: 'text/html' } });
    expect(body).toContain(meta);
    expect((await ada.get('/login')).body).not.toContain(meta);
  });

  it.each(['/', '/login', '/dashboard', '/dashboard/reports/a-file-id', '/reset-password?token=x'])(
    'at %s contains the nonce of its header',
    async (url) => {
      const answer = await ada.get(url);
      expect(answer.statusCode).toBe(200);
      expect(answer.headers['cache-control']).toBe('no-store');
      const nonces = [...answer.body.matchAll(/nonce="([^"]+)"/gu)].map((match) => match[1]);
      expect(nonces).toHaveLength(2);
      const policy = policyOf(answer);
      expect(policy.get('style-src')).toBe(`'self' 'nonce-${nonces[0]}'`);
      expect(policy.get('script-src')).toBe("'self'");
      expect(policy.get('object-src')).toBe("'none'");
      expect(policy.get('base-uri')).toBe("'none'");
      expect([...policy.values()].join(' ')).not.toMatch(/unsafe-/u);
    },
  );

  it.each(['/', '/login', '/dashboard/threats'])(
    'at %s answers HEAD like GET, without the page',
    async (url) => {
      const answer = await ada.call({ method: 'HEAD', url });
      expect([answer.statusCode, answer.body]).toEqual([200, '']);
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      expect((await ada.call({ method: 'HEAD', url: '/nonsense' })).statusCode).toBe(404);
    },
  );

  it('has a new nonce of 128 bits each time', async () => {
    const nonce = async () => /nonce="([^"]+)"/u.exec((await ada.get('/')).body)?.[1] ?? '';
    const [one, two] = [await nonce(), await nonce()];
    expect(one).not.toBe(two);
    expect(Buffer.from(one, 'base64')).toHaveLength(16);
  });

  it('caches files with a hash in the name for a year, others for minutes', async () => {
    expect((await ada.get('/assets/app-1a2b.js')).headers['cache-control']).toBe(
      'public, max-age=31536000, immutable',
    );
    expect((await ada.get('/icon.svg')).headers['cache-control']).toBe('public, max-age=300');
    expect((await ada.get('/assets/app-0000.js')).statusCode).toBe(404);
  });

  it('is never sent without its nonce, nor for an api URL', async () => {
    for (const url of ['/index.html', '/index.html?x', '/api', '/api/', '/api?x', '/api/nothing']) {
      const answer = await ada.get(url);
      expect(answer.statusCode).toBe(404);
      expect(answer.body).not.toContain('<');
    }
  });

  it.each(['/../package.json', '/..%2fpackage.json', '/assets/..%2f..%2fetc/passwd', '/%2e%2e/etc/passwd'])(
    'cannot be left by the path %s',
    async (url) => {
      const answer = await ada.get(url);
      expect(answer.statusCode === 200 ? answer.body : '').not.toMatch(/root:|"name"/u);
    },
  );
});

describe('an unknown address', () => {
  const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

  it.each(['/metrics', '/health', '/health/unknown', '/api/unknown', '/status', '/nonsense', '/loginx'])(
    '%s is 404 with a JSON error for a client that accepts no HTML',
    async (url) => {
      for (const accept of [undefined, '*/*', 'text/plain;version=0.0.4', 'application/json']) {
        const { statusCode, json } = await api.app.inject({ url, headers: accept ? { accept } : {} });
        expect(statusCode).toBe(404);
        expect(json()).toMatchObject({ statusCode: 404, code: 'not_found' });
      }
    },
  );

  it.each(['/metrics', '/health/unknown', '/nonsense'])(
    '%s is 404 with the web page for a browser',
    async (url) => {
      const answer = await api.app.inject({ url, headers: html });
      expect(answer.statusCode).toBe(404);
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.body).toContain('<script nonce=');
    },
  );

  it('/api/unknown is 404 with a JSON error for a browser too', async () => {
    const answer = await api.app.inject({ url: '/api/unknown', headers: html });
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toMatchObject({ code: 'not_found' });
  });
});

describe('a path of the api', () => {
  const id = '01990000-0000-7000-8000-000000000000';

  it.each([
    ['POST', '/api/jobs', 'GET, HEAD'],
    ['PATCH', '/api/vulnerabilities', 'GET, HEAD, POST'],
    ['POST', `/api/vulnerabilities/${id}?x=1`, 'DELETE, GET, HEAD, PUT'],
    ['PATCH', '/api/vulnerabilities/bulk', 'DELETE, PUT'],
    ['DELETE', '/api/openapi.json', 'GET, HEAD'],
    ['OPTIONS', '/api/auth/login', 'POST'],
  ] as const)('refuses %s %s with 405 and the methods that it accepts', async (method, url, allow) => {
    const answer = await ada.call({ method, url });
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, allow]);
    expect(answer.json()).toMatchObject({
      statusCode: 405,
      code: 'method_not_allowed',
      error: 'Method Not Allowed',
      message: `Use ${allow.replaceAll(', ', ' or ')}.`,
    });
  });

  it.each([
    '/api/unknown',
    '/api/vulnerabilities/nonsense',
    `/api/vulnerabilities/${id}/unknown`,
    '/nonsense',
  ])('that does not exist is 404 with any method: %s', async (url) => {
    for (const method of ['POST', 'PATCH', 'OPTIONS'] as const)
      expect((await ada.call({ method, url })).statusCode).toBe(404);
  });
});

describe('the web build', () => {
  it.each([
    ['is missing', () => mkdtemp(path.join(tmpdir(), 'riskboard-web-')), 1],
    ['exists', async () => root, 0],
    ['is served by another server', async () => undefined, 0],
  ])('that %s is a warning only when it is missing', async (_state, folder, warnings) => {
    const lines: string[] = [];
    const webRoot = await folder();
    const logTo = { write: (line: string) => void lines.push(line) };
    const other = await startApi({ webRoot, logLevel: 'warn', logTo }, { with: api });
    await other.close();
    if (warnings > 0 && webRoot) await rm(webRoot, { recursive: true });
    expect(lines.filter((line) => line.includes('the web is not built'))).toHaveLength(warnings);
  });

  const dist = new URL('../../../../web/dist/index.html', import.meta.url);
  const built = existsSync(dist) ? readFileSync(dist, 'utf8') : undefined;

  it.each([
    ['before the build', readFileSync(new URL('../../../../web/index.html', import.meta.url), 'utf8')],
    ['after the build', built],
  ])('%s has no inline script, style or handler', (_which, html) => {
    if (html === undefined) {
      process.stdout.write('web/dist is not built: only its source is looked at\n');
      return;
    }
    expect(html).toContain('<meta property="csp-nonce" nonce="__CSP_NONCE__"');
    expect(html).toMatch(/<script[^>]*src=/u);
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)[^>]*>/u);
    expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|javascript:/iu);
    expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//u);
  });
});

describe('the documentation', () => {
  it('is a page with its own policy and without inline scripts', async () => {
    const answer = await ada.get('/api/docs/');
    expect(answer.headers['content-type']).toContain('text/html');
    const policy = policyOf(answer);
    expect(policy.get('script-src')).toBe("'self'");
    expect(policy.get('style-src')).toMatch(/^'self' 'sha256-[\w+/]{43}='$/u);
    const scripts = [...answer.body.matchAll(/<script[^>]*src="([^"]+)"/gu)].map((match) => match[1] ?? '');
    expect(answer.body).not.toMatch(/<script(?![^>]*src=)/u);
    expect(scripts.length).toBeGreaterThan(0);
    for (const script of scripts) {
      const url = new URL(script, 'http://localhost/api/docs/').pathname;
      expect((await ada.get(url)).statusCode).toBe(200);
    }
  });

  it('shows the same document as /api/openapi.json', async () => {
    const [shown, document] = await Promise.all([ada.get('/api/docs/json'), ada.get('/api/openapi.json')]);
    expect(shown.json()).toEqual(document.json());
    expect(document.json()).toMatchObject({ openapi: '3.1.0' });
  });
});

describe('the rate limit', () => {
  it.each([
    ['/assets/app-1a2b.js', false],
    ['/icon.svg', false],
    ['/', true],
    ['/dashboard/threats', true],
    ['/assets/no-such.js', true],
    ['/api/auth/me', true],
    ['/api/openapi.json', true],
  ])('of calls to %s: counted is %s', async (url, counted) => {
    const { headers } = await api.app.inject({ url });
    expect('x-ratelimit-limit' in headers).toBe(counted);
  });
});
