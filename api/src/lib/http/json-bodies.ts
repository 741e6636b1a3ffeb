import type { FastifyInstance } from 'fastify';
import { Failure, invalidField } from './failure.ts';
import { isBodyOptional } from './request-validator.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });
const charset = /;\s*charset\s*=\s*"?([^";\s]+)/iu;

/**
 * Refuses JSON in another encoding than UTF-8 (RFC 8259, section 8.1): Fastify would replace what it cannot read. An
 * empty body is accepted where all its members are optional; `null` is not, as every body is an object.
 */
export function readJsonAsUtf8(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const [, named = 'utf-8'] = charset.exec(request.headers['content-type'] ?? '') ?? [];
    if (!/^(?:utf-?8|us-ascii)$/iu.test(named)) return done(new Failure('wrong_type', 'Send JSON as UTF-8.'));
    if (body.length === 0 && isBodyOptional(request.routeOptions.schema?.body)) return done(null);
    let text: string;
    try {
      text = utf8.decode(body);
    } catch {
      return done(new Failure('malformed', 'The body is not valid UTF-8.'));
    }
    return void parse(request, text, (error, value) =>
      value === null ? done(invalidField('', 'Send a JSON object.')) : done(error, value),
    );
  });
}
