/**
 * Every error the API can answer with: code, HTTP status and the reason phrase.
 * The text a person reads is chosen where the error is raised; `fallback` serves where nothing better is known.
 */
export const errors = {
  malformed: { status: 400, error: 'Bad Request', fallback: 'The request could not be read.' },
  not_signed_in: { status: 401, error: 'Unauthorized', fallback: 'Please log in.' },
  session_expired: {
    status: 401,
    error: 'Unauthorized',
    fallback: 'Your session has ended. Please log in again.',
  },
  access_ended: {
    status: 401,
    error: 'Unauthorized',
    fallback: 'You no longer have access to this organization. Ask an owner if this is unexpected.',
  },
  invalid_credentials: {
    status: 401,
    error: 'Unauthorized',
    fallback: 'Invalid credentials, please try again.',
  },
  second_factor_needed: {
    status: 401,
    error: 'Unauthorized',
    fallback: 'Enter the code of your authenticator app.',
  },
  second_factor_required: {
    status: 403,
    error: 'Forbidden',
    fallback: 'Your organization requires a second factor. Set it up in your security settings to go on.',
  },
  session_needed: {
    status: 403,
    error: 'Forbidden',
    fallback: 'Log in to do this; an API token is not enough.',
  },
  wrong_password: { status: 403, error: 'Forbidden', fallback: 'The password is not right.' },
  wrong_code: {
    status: 403,
    error: 'Forbidden',
    fallback: 'That code is not valid. Try the next one.',
  },
  email_unverified: {
    status: 403,
    error: 'Forbidden',
    fallback: 'Confirm your email address first, with the link that we emailed to you.',
  },
  role_too_low: { status: 403, error: 'Forbidden', fallback: 'Your role does not allow this.' },
  foreign_origin: { status: 403, error: 'Forbidden', fallback: 'This request did not come from Riskboard.' },
  signup_closed: { status: 403, error: 'Forbidden', fallback: 'Sign-up is by invitation only.' },
  not_found: { status: 404, error: 'Not Found', fallback: 'Not found.' },
  conflict: { status: 409, error: 'Conflict', fallback: 'This is in conflict with what is already there.' },
  stale_version: {
    status: 412,
    error: 'Precondition Failed',
    fallback: 'Another user changed this in the meantime.',
  },
  too_large: { status: 413, error: 'Payload Too Large', fallback: 'The file is too large.' },
  wrong_type: {
    status: 415,
    error: 'Unsupported Media Type',
    fallback: 'This type of file is not accepted.',
  },
  invalid: { status: 422, error: 'Unprocessable Entity', fallback: 'Some fields are not valid.' },
  too_many: { status: 429, error: 'Too Many Requests', fallback: 'Too many attempts. Please wait a little.' },
  internal: { status: 500, error: 'Internal Server Error', fallback: 'An unexpected error occurred.' },
  unavailable: {
    status: 503,
    error: 'Service Unavailable',
    fallback: 'A part of Riskboard is not reachable right now.',
  },
} as const;

export type ErrorCode = keyof typeof errors;
