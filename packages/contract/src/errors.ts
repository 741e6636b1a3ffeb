/**
 * Every error the API can answer with: code, HTTP status and the reason phrase. The text a person reads is chosen where
 * the error is raised; `fallback` is used when no specific text is given.
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
    fallback: 'Your organization requires a second factor. Set it up in your security settings to continue.',
  },
  session_needed: {
    status: 403,
    error: 'Forbidden',
    fallback: 'Log in to do this; an API token is not enough.',
  },
  wrong_password: { status: 403, error: 'Forbidden', fallback: 'Incorrect password.' },
  wrong_code: {
    status: 403,
    error: 'Forbidden',
    fallback: 'Invalid code. Enter the next one from your app.',
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
  method_not_allowed: {
    status: 405,
    error: 'Method Not Allowed',
    fallback: 'This address does not accept the method.',
  },
  conflict: {
    status: 409,
    error: 'Conflict',
    fallback: 'This conflicts with existing data. Reload and try again.',
  },
  session_changed: {
    status: 409,
    error: 'Conflict',
    fallback: 'You have switched to another organization since this page was opened. Nothing was changed.',
  },
  stale_version: {
    status: 412,
    error: 'Precondition Failed',
    fallback: 'Another user changed this in the meantime.',
  },
  too_large: { status: 413, error: 'Payload Too Large', fallback: 'The file is too large.' },
  wrong_type: {
    status: 415,
    error: 'Unsupported Media Type',
    fallback: 'This file type is not accepted.',
  },
  invalid: { status: 422, error: 'Unprocessable Entity', fallback: 'Some fields are not valid.' },
  too_many: {
    status: 429,
    error: 'Too Many Requests',
    fallback: 'Too many attempts. Wait a few minutes and try again.',
  },
  internal: { status: 500, error: 'Internal Server Error', fallback: 'An unexpected error occurred.' },
  unavailable: {
    status: 503,
    error: 'Service Unavailable',
    fallback: 'A part of Riskboard is unavailable. Try again in a few minutes.',
  },
  disk_full: {
    status: 507,
    error: 'Insufficient Storage',
    fallback: 'Disk full: nothing was stored. Ask your administrator to free space, then try again.',
  },
} as const;

export type ErrorCode = keyof typeof errors;
