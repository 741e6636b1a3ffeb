import { useState } from 'react';
import { useUser } from '../../../lib/session/account.ts';
import { Notice } from '../../feedback/notice.tsx';

interface ChangedNoticeProps {
  record: { readonly version: number; readonly updatedBy: string };
}

/** Says that another user saved a newer version of the record since it was opened. One instance shows one record. */
export function ChangedNotice({ record: { version, updatedBy } }: ChangedNoticeProps) {
  const { firstName, lastName } = useUser();
  const [opened] = useState(version);
  const isOwn = updatedBy === `${firstName} ${lastName}`.trim();
  return (
    <output className="block empty:hidden">
      {version > opened && !isOwn && (
        <span className="block p-3">
          <Notice tone="info">Updated just now by {updatedBy === '' ? 'a report' : updatedBy}.</Notice>
        </span>
      )}
    </output>
  );
}
