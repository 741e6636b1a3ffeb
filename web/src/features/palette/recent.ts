import { searchNouns } from '@riskboard/contract';
import { useState } from 'react';
import { useUser } from '../../lib/session/account.ts';

export interface Recent {
  noun: (typeof searchNouns)[number];
  _id: string;
  title: string;
  subtitle: string;
}

/** Whether a stored value has the format that `remember` writes; another version may have stored something else. */
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
 * Records that this user opened from the palette in this organization, newest first. They are kept for the life of the
 * tab only, so that names of weaknesses do not stay on the machine.
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
      // Storage may be disabled; nothing is remembered then.
    }
  }

  return [recent, remember];
}
