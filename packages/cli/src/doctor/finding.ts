/** The result of one check. */
export interface Finding {
  check: string;
  state: 'ok' | 'warning' | 'failed';
  message: string;
  /** What to do; for warnings and failures. */
  remedy?: string;
}

export const fine = (check: string, message: string): Finding => ({ check, state: 'ok', message });

export const warning = (check: string, message: string, remedy: string): Finding => ({
  check,
  state: 'warning',
  message,
  remedy,
});

export const failed = (check: string, message: string, remedy: string): Finding => ({
  check,
  state: 'failed',
  message,
  remedy,
});

export const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.message || ('code' in error ? String(error.code) : error.name);
};
