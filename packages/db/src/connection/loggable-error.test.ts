import pg from 'pg';
import { createTestDatabase } from '@riskboard/testing';
import { expect, it } from 'vitest';
import { loggableError } from './loggable-error.ts';

it('a logged error has its message but no content of the row that caused it', async () => {
  const clone = await createTestDatabase();
  const client = new pg.Client({ connectionString: clone.url });
  await client.connect();
  await client.query('create temporary table note (text text check (length(text) < 3), body text)');
  const error = await client
    .query(`insert into note values ('too long', 'a secret of the report')`)
    .catch((e: unknown) => e);
  await client.end();
  await clone.drop();
  expect((error as pg.DatabaseError).detail).toContain('a secret of the report');
  const logged = loggableError(new Error('job run failed', { cause: error }));
  expect(JSON.stringify(logged)).not.toContain('a secret of the report');
  expect(logged).toMatchObject({
    message: 'job run failed',
    cause: { code: '23514', stack: expect.any(String) },
  });
});

it('ignores values that are not errors', () => {
  expect(loggableError('a secret of the report')).toEqual({ type: 'string', message: '', stack: '' });
});
