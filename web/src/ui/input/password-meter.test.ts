import { expect, test } from 'vitest';
import { passwordStrength } from './password-meter.tsx';

test.each([
  ['', 'Too short'],
  ['Ab3$efghijk', 'Too short'],
  ['aaaaaaaaaaaaaaaaaaaa', 'Weak'],
  ['abcdefghijklmnop', 'Weak'],
  ['password1234', 'Weak'],
  ['riskboard 2026!', 'Weak'],
  ['Dr@gon-Master_1999', 'Weak'],
  ['2026 D4shboard!!', 'Weak'],
  ['2026', 'Too short'],
  ['blue-garden7', 'Good'],
  ['correct horse battery 2026', 'Strong'],
  ['r7$Kp2!vX9q#2026', 'Strong'],
  ['correct horse battery staple', 'Strong'],
  ['r7$Kp2!vX9q#Lm', 'Strong'],
])('%j is %s', (password, word) => expect(passwordStrength(password).word).toBe(word));
