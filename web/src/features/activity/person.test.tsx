import { expect, it } from 'vitest';
import { actorOf, initialsOf, personOf } from './person.tsx';

it.each([
  ['Ada Lovelace <ada@example.org>', { name: 'Ada Lovelace', email: 'ada@example.org' }],
  ['A <b> c <c@example.org>', { name: 'A <b> c', email: 'c@example.org' }],
  ['apt1.xml', { name: 'apt1.xml', email: '' }],
  ['<ada@example.org>', { name: '<ada@example.org>', email: '' }],
  ['', { name: '', email: '' }],
])('the actor %s is parsed into name and email address', (text, person) => {
  expect(personOf(text)).toEqual(person);
});

it.each([
  ['Riskboard', { actor: '', via: 'system' }],
  ['Unknown user', { actor: '', via: 'session' }],
  ['Ada', { actor: 'Ada <ada@example.org>', via: 'system' }],
] as const)('the actor %s is shown by name', (name, entry) => {
  expect(actorOf(entry).name).toBe(name);
});

it.each([
  ['Ada', 'A'],
  ['ada lovelace', 'AL'],
  ['Ada  King Lovelace ', 'AL'],
  ['👩‍💻 Ünal', '👩‍💻Ü'],
  ['', ''],
])('the initials of %j are %j', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});
