import { searchNouns } from '@riskboard/contract';
import { useState } from 'react';
import { z } from 'zod';
import { useUser } from '../../lib/use-user.ts';

const Recent = z.object({
  noun: z.enum(searchNouns),
  _id: z.string(),
  title: z.string(),
  subtitle: z.string(),
});
export type Recent = z.infer<typeof Recent>;

const most = 6;

function read(key: string): Recent[] {
  try {
    return z.array(Recent).parse(JSON.parse(sessionStorage.getItem(key) ?? '[]'));
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
