import type { CreationAttempt } from '../entity/creation.ts';
import { pageOwner } from './page-owner.ts';

const key = 'riskboard.draft';

/** The unsaved input of a form. Such forms have no secrets: no passwords, tokens or codes. */
export interface KeptDraft<Values> {
  /** The values that the user saw before changing them; the server refuses them if its version is newer. */
  readonly base: { readonly version: number | undefined; readonly values: Values };
  readonly values: Values;
  /** The attempts to create the record before. */
  readonly attempt?: CreationAttempt;
}

/** Whose draft it is: an account in an organization. */
export interface DraftOwner {
  readonly userId: string;
  readonly organizationId: string;
}

interface Kept extends DraftOwner {
  /** Path of the form's page. */
  readonly path: string;
  readonly draft: KeptDraft<unknown>;
}

function read(): Kept | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(key) ?? 'null') as Kept | null) ?? undefined;
  } catch {
    return undefined;
  }
}

/**
 * Keeps the input of a form whose session has ended or changed, in this tab only. A tab shows one form with drafts at a
 * time, so there is one draft.
 */
export function keepDraft<Values>(
  { userId, organizationId }: DraftOwner,
  path: string,
  draft: KeptDraft<Values>,
): void {
  const shown = pageOwner.get();
  // Another account has logged in meanwhile.
  if (shown !== undefined && !shown.startsWith(userId)) return;
  try {
    sessionStorage.setItem(key, JSON.stringify({ userId, organizationId, path, draft } satisfies Kept));
  } catch {
    // Storage may be disabled; the input is lost then.
  }
}

/** The kept draft of a form; undefined without one for this account, organization and page. */
export function keptDraft<Values>(
  { userId, organizationId }: DraftOwner,
  path: string,
): KeptDraft<Values> | undefined {
  const kept = read();
  const isSame = kept?.userId === userId && kept.organizationId === organizationId && kept.path === path;
  // A path has one form, which wrote the draft.
  return isSame ? (kept.draft as KeptDraft<Values>) : undefined;
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
