import { useQueryClient } from '@tanstack/react-query';
import { useMatch } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState } from 'react';
import { meQuery, useUser } from '../../lib/session/account.ts';
import {
  forgetDraft,
  keepDraft,
  keptDraft,
  type DraftOwner,
  type KeptDraft,
} from '../../lib/session/kept-draft.ts';
import { onSessionEnd } from '../../lib/session/session.ts';

/** Whose input a form keeps when the session ends, and the path of the form's page. */
export interface KeptFor {
  readonly owner: DraftOwner;
  readonly path: string;
}

/** The form of this page, for the account that is signed in. */
export function useKeptFor(): KeptFor {
  const { _id: userId, organizationId } = useUser();
  // Of the page of the form, also while another one loads.
  const path = useMatch({ strict: false, select: ({ pathname }) => pathname });
  return { owner: { userId, organizationId }, path };
}

/**
 * The input that an ended session left in this form, until it is discarded.
 * @param isRead false: the form starts with other input
 */
export function useRestoredDraft<Values>(
  { owner, path }: KeptFor,
  isRead = true,
): [restored: KeptDraft<Values> | undefined, discard: () => void] {
  const [restored, setRestored] = useState(() => (isRead ? keptDraft<Values>(owner, path) : undefined));
  // From here on the form holds the restored input.
  useEffect(() => {
    if (restored !== undefined) forgetDraft();
  }, [restored]);
  return [restored, () => setRestored(undefined)];
}

/**
 * Keeps the input of a form when the session ends, not when the account has lost its access, and when the form is closed
 * because the tab changes to another account or organization.
 * @param unsaved the input at that moment; undefined when nothing was changed
 */
export function useKeepDraft<Values>(
  { owner, path }: KeptFor,
  unsaved: () => KeptDraft<Values> | undefined,
): void {
  const keep = useEffectEvent(() => {
    const draft = unsaved();
    if (draft !== undefined) keepDraft(owner, path, draft);
  });
  useEffect(() => onSessionEnd((lostAccess) => lostAccess === undefined && keep()), []);

  const queryClient = useQueryClient();
  const closed = useEffectEvent(() => {
    const user = queryClient.getQueryData(meQuery.queryKey);
    if (user !== undefined && (user._id !== owner.userId || user.organizationId !== owner.organizationId))
      keep();
  });
  useEffect(() => () => closed(), []);
}
