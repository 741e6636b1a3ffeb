import { expect, it } from 'vitest';
import { freshEmail, password, signUp, visitor } from '../testing/person.ts';
import { bundle, strangeId } from '../testing/report.ts';
import { startApi } from '../testing/start-api.ts';
import { listen, openStream } from '../testing/stream.ts';

it('the log of a full run tells who did what, and no secret or content', async () => {
  const lines: string[] = [];
  const api = await startApi({ logLevel: 'trace', logTo: { write: (line) => void lines.push(line) } });
  const ada = await signUp(api, { email: 'logged@example.org' });
  const secrets = new Set(ada.cookies.values());
  const marker = 'content of a report that nobody may read in a log';
  await ada.upload({ name: 'a.json', content: bundle(marker) });
  await ada.upload({ name: 'a.json', content: marker });
  await ada.upload({ name: 'a.json', content: `{"${marker}` });
  await ada.get('/api/reports/files?search=%00');
  await ada.delete(`/api/reports/files/${strangeId()}`);
  const stream = openStream(await listen(api), ada);
  await stream.opened();
  await ada.post('/api/auth/refresh');
  for (const value of ada.cookies.values()) secrets.add(value);
  const guesser = visitor(api);
  await guesser.post('/api/auth/login', { email: ada.user.email, password: 'a wrong guess at it' });
  await guesser.post('/api/auth/signup', { email: freshEmail(), password: 'tooshort', firstName: 'A\u0000' });
  await guesser.post('/api/auth/signup', { email: ada.user.email, password, firstName: 'Ada' });
  await guesser.call({
    method: 'GET',
    url: '/api/jobs',
    headers: { authorization: 'Bearer rb_12345678_a-token-of-a-script' },
  });
  await ada.becomes('viewer');
  await ada.delete(`/api/reports/files/${strangeId()}`);
  api.database.system.selectFrom = () => {
    throw new Error('unforeseen');
  };
  await guesser.post('/api/auth/login', { email: ada.user.email, password });
  await ada.post('/api/auth/logout');
  await api.close();

  const log = lines.join('');
  expect(secrets.size).toBeGreaterThanOrEqual(3);
  for (const secret of secrets) {
    expect(log).not.toContain(secret);
    expect(log).not.toContain(encodeURIComponent(secret));
    for (const part of secret.split('.').filter((piece) => piece.length > 40))
      expect(log).not.toContain(part);
  }
  for (const hidden of [password, 'a wrong guess at it', 'tooshort', marker, 'a-token-of-a-script'])
    expect(log).not.toContain(hidden);
  for (const told of ['signed up', 'sign-in failed', 'access denied', 'unforeseen', 'request completed'])
    expect(log).toContain(told);
  expect(log).toContain(ada.user._id);
  expect(log).not.toContain('logged@example.org');
});
