/** Account changes that the worker reports to the account's owner by mail. */
export const accountChanges = [
  'password',
  'password-reset',
  /** A change of address was requested and is not confirmed yet. */
  'email-asked',
  'email',
  'second-factor-enabled',
  'second-factor-disabled',
  /** An owner removed it. */
  'second-factor-reset',
  'recovery-codes-renewed',
  'recovery-code-used',
  /** Too many wrong codes after a right password. */
  'second-factor-guessed',
  'token-created',
] as const;

export type AccountChange = (typeof accountChanges)[number];
