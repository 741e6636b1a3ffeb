import type { FormValues } from '../entity/form-values.ts';

const key = 'riskboard.draft';

/** The unsaved input of a record's form. Such forms have no secrets: no passwords, tokens or codes. */
export interface KeptDraft {
  /** The values that the user saw before changing them; the server refuses them if its version is newer. */
  readonly base: { readonly version: number | undefined; readonly values: FormValues };
  readonly values: FormValues;
}

/** Whose draft it is: an account in an organization. */
export interface DraftOwner {
  readonly userId: string;
  readonly organizationId: string;
}

interface Kept extends DraftOwner {
  /** Path of the form's page. */
  readonly path: string;
  readonly draft: KeptDraft;
}

function read(): Kept | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(key) ?? 'null') as Kept | null) ?? undefined;
  } catch {
    return undefined;
  }
}

/**
 * Keeps the input of a form whose session has ended, in this tab only. A tab shows one such form at a time, so there is
 * one draft.
 */
export function keepDraft({ userId, organizationId }: DraftOwner, path: string, draft: KeptDraft): void {
  try {
    sessionStorage.setItem(key, JSON.stringify({ userId, organizationId, path, draft } satisfies Kept));
  } catch {
    // Storage may be disabled; the input is lost then.
  }
}

/** The kept draft of a form; undefined without one for this account, organization and page. */
export function keptDraft({ userId, organizationId }: DraftOwner, path: string): KeptDraft | undefined {
  const kept = read();
  const isSame = kept?.userId === userId && kept.organizationId === organizationId && kept.path === path;
  return isSame ? kept.draft : undefined;
}

/** Removes the kept draft: the user has logged out, or a form has taken it. */
export function forgetDraft(): void {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // Storage may be disabled; nothing was kept then.
  }
}

/** Removes the draft of another account than the one that is signed in now. */
export function forgetDraftOfOthers(userId: string): void {
  const kept = read();
  if (kept !== undefined && kept.userId !== userId) forgetDraft();
}
