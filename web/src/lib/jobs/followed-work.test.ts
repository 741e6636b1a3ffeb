import { expect, test } from 'vitest';
import { createFollowedWork } from './followed-work.ts';

const work = { id: 'job-1', kind: 'extraction', data: 'threats' };

test('work is followed after a reload of the page, and its end is shown once', () => {
  const page = createFollowedWork();
  expect(page.setOwner('ada')).toEqual([]);
  page.add(work);

  const reloaded = createFollowedWork();
  expect(reloaded.setOwner('ada')).toEqual([work]);
  expect(reloaded.setOwner('ada')).toEqual([]);
  expect(reloaded.end(work.id)).toBe(true);
  expect(reloaded.end(work.id)).toBe(false);
  expect(createFollowedWork().setOwner('ada')).toEqual([]);
});

test('work whose end was shown before a reload is not shown again', () => {
  const page = createFollowedWork();
  page.setOwner('ada');
  page.add(work);
  expect(page.end(work.id)).toBe(true);
  expect(createFollowedWork().setOwner('ada')).toEqual([]);
});

test('work of another user is neither resumed after a reload nor shown after a log-in in the same tab', () => {
  const page = createFollowedWork();
  page.setOwner('ada');
  page.add(work);
  expect(createFollowedWork().setOwner('ben')).toEqual([]);
  expect(createFollowedWork().setOwner('ada')).toEqual([]);

  page.add(work);
  page.clear();
  expect(page.setOwner('ben')).toEqual([]);
  expect(page.end(work.id)).toBe(false);

  page.add(work);
  page.setOwner('ben in another organization');
  expect(page.has(work.id)).toBe(false);
});

test.each(['{', 'null', '{"owner":"ada","works":[{}]}', '{"owner":1}'])(
  'stored text %j that is not followed work is ignored',
  (text) => {
    sessionStorage.setItem('riskboard.followed-work', text);
    expect(createFollowedWork().setOwner('ada')).toEqual([]);
  },
);
