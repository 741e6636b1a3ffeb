import { expect, test } from 'vitest';
import { ApiError } from './api/errors.ts';
import { formRefusal } from './form-refusal.ts';

const refusal = (path: string) =>
  new ApiError({
    statusCode: 422,
    code: 'invalid',
    message: 'Enter a name.',
    requestId: 'request-1',
    details: [{ path, message: 'Enter a name.' }],
  });

test('the message of a 422 is shown at its field', () => {
  expect(formRefusal(refusal('name'))).toEqual({
    form: null,
    fields: { name: { message: 'Enter a name.' } },
  });
});

test('the message of a 422 about the request as a whole is shown above the form', () => {
  expect(formRefusal(refusal(''))).toEqual({ form: 'Enter a name.', fields: {} });
});
