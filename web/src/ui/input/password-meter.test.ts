import { expect, test } from 'vitest';
import { passwordStrength } from './password-meter.tsx';

test.each([
  ['', 'Too short'],
  ['Ab3$efghijk', 'Too short'],
  ['aaaaaaaaaaaaaaaaaaaa', 'Weak'],
  ['abcdefghijklmnop', 'Weak'],
  ['password1234', 'Weak'],
  ['blue-garden7', 'Good'],
  ['correct horse battery staple', 'Strong'],
  ['r7$Kp2!vX9q#Lm', 'Strong'],
])('%j is %s', (password, word) => expect(passwordStrength(password).word).toBe(word));
