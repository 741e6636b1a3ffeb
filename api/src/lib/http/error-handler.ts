import { type ErrorCode, errors, type ErrorReply } from '@riskboard/contract';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { ContentDeleted, SlotsFull, UnlimitedFilter } from '@riskboard/db';
import { isConnectionError, type Outages } from '@riskboard/operation';
import type { Disk } from '../../health/disk.ts';
import { Failure, invalidField } from './failure.ts';
import { pageOfPrint } from './page-of-print.ts';

/** Errors of Fastify, its plugins and PostgreSQL, by code. */
const foreignCodes: Record<string, { code: ErrorCode; message?: string }> = {
  FST_ERR_CTP_INVALID_JSON_BODY: { code: 'malformed', message: 'The body is not valid JSON.' },
  FST_ERR_CTP_EMPTY_JSON_BODY: { code: 'malformed', message: 'The body is empty; JSON was expected.' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { code: 'wrong_type', message: 'Send application/json.' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: { code: 'malformed' },
  FST_ERR_CTP_BODY_TOO_LARGE: { code: 'too_large', message: 'The request is too large.' },
  FST_INVALID_MULTIPART_CONTENT_TYPE: {
    code: 'wrong_type',
    message: 'Send the file as multipart/form-data.',
  },
  FST_REQ_FILE_TOO_LARGE: { code: 'too_large' },
  FST_FILES_LIMIT: { code: 'invalid', message: 'Send one file per request.' },
  FST_PARTS_LIMIT: { code: 'malformed' },
  FST_FIELDS_LIMIT: { code: 'malformed' },
  FST_PROTO_VIOLATION: { code: 'malformed' },
  FST_INVALID_JSON_FIELD_ERROR: { code: 'malformed' },
  FST_ERR_BAD_URL: { code: 'malformed', message: 'The URL is not valid.' },
  FST_ERR_MAX_PARAM_LENGTH: { code: 'not_found' },
  // SQLSTATE disk_full.
  '53100': { code: 'disk_full' },
  // SQLSTATE: text that PostgreSQL cannot hold.
  '22021': { code: 'invalid', message: 'Text must not contain NUL characters.' },
  '22P05': { code: 'invalid', message: 'Text must not contain NUL characters.' },
};

/** SQLSTATE: serialization failure, deadlock, lock or statement timeout. */
const busy = /^(?:40001|40P01|55P03|57014)$/u;
/** Validation failures: 404 for an invalid id in the path, otherwise 422 with one entry per field. */
function fromValidation(error: FastifyError): Failure | undefined {
  if (!hasZodFastifySchemaValidationErrors(error)) return undefined;
  if (error.validationContext === 'params') return new Failure('not_found');
  const details = error.validation.flatMap(({ instancePath, params, message = 'Not valid.' }) => {
    const path = instancePath.split('/').slice(1).join('.');
    const unknown = params['keys'];
    if (!Array.isArray(unknown)) return [{ path, message }];
    return unknown.map(String).map((key) => ({
      path: path === '' ? key : `${path}.${key}`,
      message: `Unknown: ${key}.`,
    }));
  });
  return new Failure('invalid', error.validation[0]?.message ?? details[0]?.message, { details });
}

/** SQLSTATE 22P02 of a JSON value: its text contains a lone surrogate, which is not valid Unicode. */
const isBrokenText = ({ code, message }: FastifyError): boolean =>
  code === '22P02' && message.endsWith('for type json');

declare module 'fastify' {
  interface FastifyInstance {
    /** One line for each outage of PostgreSQL or the queue. */
    outages: Outages;
    /** That of the database. */
    disk: Disk;
  }
}

function fromForeign(error: FastifyError): Failure | undefined {
  const known = foreignCodes[error.code];
  if (known) return new Failure(known.code, known.message);
  if (isBrokenText(error)) return new Failure('invalid', 'Text must be valid Unicode.');
  if (isConnectionError(error)) {
    return new Failure('unavailable', 'The database is not reachable right now. Try again in a moment.', {
      headers: { 'retry-after': '2' },
    });
  }
  if (busy.test(error.code ?? '')) {
    return new Failure('unavailable', 'The database is busy with other work. Please try again.', {
      headers: { 'retry-after': '1' },
    });
  }
  if (error.statusCode === errors.too_many.status) return new Failure('too_many');
  // Multipart that is cut short, has no boundary or one beyond 70 characters (RFC 2046, 5.1.1).
  if (/multipart|boundary|needle cannot|Unexpected end of (?:form|multipart)/iu.test(error.message))
    return new Failure('malformed');
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new Failure('malformed', error.message);
  }
  return undefined;
}

export function toFailure(error: unknown): Failure | undefined {
  if (error instanceof Failure) return error;
  if (error instanceof SlotsFull) {
    return new Failure(
      'unavailable',
      'Too many requests of your organization are running. Please try again.',
      {
        headers: { 'retry-after': '5' },
      },
    );
  }
  if (error instanceof ContentDeleted) return new Failure('conflict', error.message);
  if (error instanceof UnlimitedFilter) return invalidField('filter', error.message);
  const foreign = error as FastifyError;
  return fromValidation(foreign) ?? fromForeign(foreign);
}

/** Denied access, which is logged (OWASP ASVS 5.0, 16.3.2 and 16.3.3). */
const denials: ReadonlySet<ErrorCode> = new Set([
  'foreign_origin',
  'role_too_low',
  'second_factor_required',
  'session_needed',
  'signup_closed',
  'too_many',
  'wrong_password',
]);

/** The URL is in the log line of the request, which has the same id. */
function logDenial({ code, message }: Failure, { log, ip, caller }: FastifyRequest): void {
  const actor = caller ? { accountId: caller.accountId, organizationId: caller.organizationId } : {};
  log.warn({ code, reason: message, address: ip, ...actor }, 'access denied');
}

export function errorReply(failure: Failure, requestId: string): ErrorReply {
  const { status, error } = errors[failure.code];
  return {
    statusCode: status,
    code: failure.code,
    error,
    message: failure.message,
    requestId,
    ...(failure.details ? { details: failure.details } : {}),
  };
}

/** Replaces a general message by the fallback message of the endpoint, if it has one (spec 8). */
function withFallbackOf(failure: Failure, request: FastifyRequest): Failure {
  const { fallback } = request.routeOptions.config;
  const { code, message, headers } = failure;
  const isGeneral = (code === 'not_found' || code === 'internal') && message === errors[code].fallback;
  return isGeneral && fallback ? new Failure(code, fallback, { headers }) : failure;
}

/** A database that stopped because its disk is full is not reachable: what would store something names the disk. */
async function withDisk(failure: Failure | undefined, request: FastifyRequest): Promise<Failure | undefined> {
  if (failure?.code !== 'unavailable' || request.method === 'GET') return failure;
  return (await request.server.disk.isTooFullFor(0)) ? new Failure('disk_full') : failure;
}

/** Whether the client closed its connection before all of its request had arrived. */
const hasLeft = ({ raw }: FastifyRequest): boolean => raw.destroyed && !raw.complete;

/** Handles every error. Replies below 500 contain the message, others a general text; a printable page leads to its page of the product. */
export async function handleError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const failure = await withDisk(toFailure(error), request);
  if (!failure) request.log.error({ err: error }, 'unexpected error');
  else if (error instanceof SlotsFull) request.log.warn({ organizationId: error.key }, 'organization busy');
  else if (isConnectionError(error) && hasLeft(request))
    request.log.info('the client closed the connection before its request was complete');
  else if (isConnectionError(error)) request.server.outages.report(error, 'request not answered');
  else if (failure.code === 'unavailable' || failure.code === 'disk_full')
    request.log.warn(error instanceof Failure ? {} : { err: error }, failure.message);
  else if (denials.has(failure.code)) logDenial(failure, request);
  const answer = withFallbackOf(failure ?? new Failure('internal'), request);
  const page = pageOfPrint(request, answer.code);
  if (page !== undefined) return void (await reply.redirect(page, 303));
  await reply
    .status(errors[answer.code].status)
    .headers(answer.headers)
    .type('application/json; charset=utf-8')
    .send(errorReply(answer, request.id));
}
