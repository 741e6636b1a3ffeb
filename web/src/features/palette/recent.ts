import { searchNouns } from '@riskboard/contract';
import { useState } from 'react';
import { useUser } from '../../lib/session/account.ts';

export interface Recent {
  noun: (typeof searchNouns)[number];
  _id: string;
  title: string;
  subtitle: string;
}

/** Whether it is one that `remember` wrote, and not of a version that kept something else. */
function isRecent(raw: unknown): raw is Recent {
  const { noun, ...texts } = (raw ?? {}) as Partial<Recent>;
  const isText = (name: keyof typeof texts) => typeof texts[name] === 'string';
  return (
    searchNouns.some((known) => known === noun) && isText('_id') && isText('title') && isText('subtitle')
  );
}

const most = 6;

function read(key: string): Recent[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]');
    return Array.isArray(kept) && kept.every(isRecent) ? kept : [];
  } catch {
    return [];
  }
}

/**
 * Records that were opened from the palette, newest first, of this person in this organisation. They live as long as
 * the tab: names of weaknesses are not left behind on a machine.
 */
export function useRecent(): [recent: readonly Recent[], remember: (record: Recent) => void] {
  const { _id, organizationId } = useUser();
  const key = `riskboard.recent.${_id}.${organizationId}`;
  const [recent] = useState(() => read(key));

  function remember(record: Recent): void {
    const next = [record, ...recent.filter((other) => other._id !== record._id)].slice(0, most);
    try {
      sessionStorage.setItem(key, JSON.stringify(next));
    } catch {
      // Storage may be switched off: nothing is remembered then.
    }
  }

  return [recent, remember];
}
