/** What can happen to an account that its person is told by mail; each has a text in the worker. */
export const accountChanges = [
  'password',
  'password-reset',
  /** Another address was asked for; nothing has changed yet. */
  'email-asked',
  'email',
  'second-factor-enabled',
  'second-factor-disabled',
  /** An owner took it away. */
  'second-factor-reset',
  'recovery-codes-renewed',
  'recovery-code-used',
] as const;

export type AccountChange = (typeof accountChanges)[number];
