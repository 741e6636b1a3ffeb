import { describe, expect, it } from 'vitest';
import { commonPasswords, isCommonPassword } from './common-password.ts';

const email = ' Ada.Lovelace@Example.org';

describe('the list of common passwords', () => {
  it('has at least 3,000 entries', async () => expect(await commonPasswords()).toBeGreaterThanOrEqual(3000));

  it.each([
    '123456789987654321',
    'qwerty123456',
    'QWERTY123456',
    'motherfucker',
    'password1234',
    'PasswordPassword',
    'letmein123456',
    'Riskboard123',
    'riskboardriskboard',
    'ThreatIntelligence',
    'ada.lovelace@example.org',
    'Riskboard2026',
    'Riskboard-2026!',
    'riskboard_2025_',
    '2026Riskboard!',
    'R1skb0ard2026',
    'Cybersecurity2024',
    'RiskDashboard 2026',
    'Dashboard20261',
    'Summer-2026!!',
    'P@ssword2026!',
    'Password-2026',
    'AdaLovelace2026',
    'ada.lovelace-1984',
  ])('contains %s', async (password) => expect(await isCommonPassword(password, email)).toBe(true));

  it.each([
    ['a longer form of a common one', 'qwerty123456 and the rest'],
    ['with a blank', ' qwerty123456'],
    ['the address with a suffix', 'ada.lovelace@example.org!'],
    ['a common one with other characters', 'password-river-1234'],
    ['a sentence', 'correct horse battery staple'],
    ['a sentence with the product and a year', 'riskboard moved to Lisbon in 2026'],
    ['another mailbox with a year', 'grace.hopper-1984'],
    ['a year among random characters', 'kTq7-2026-vXp3'],
  ])('does not contain %s', async (_what, password) =>
    expect(await isCommonPassword(password, email)).toBe(false),
  );
});
