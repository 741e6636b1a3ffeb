import { useState } from 'react';
import { useUser } from '../../../lib/session/account.ts';
import { Notice } from '../../feedback/notice.tsx';
import { Time } from '../../text/time.tsx';

interface ChangedNoticeProps {
  record: { readonly version: number; readonly updatedBy: string; readonly updatedAt: string };
}

/** Says that another user saved a newer version of the record since it was opened. One instance shows one record. */
export function ChangedNotice({ record: { version, updatedBy, updatedAt } }: ChangedNoticeProps) {
  const { firstName, lastName } = useUser();
  const [opened] = useState(version);
  const isOwn = updatedBy === `${firstName} ${lastName}`.trim();
  const isChanged = version > opened && !isOwn;
  const by = updatedBy === '' ? 'a report' : updatedBy;
  return (
    <>
      {/* Announced without the time, which changes each minute. */}
      <output className="sr-only">{isChanged && `Updated by ${by}.`}</output>
      {isChanged && (
        <div className="p-3">
          <Notice tone="info">
            Updated <Time value={updatedAt} /> by {by}.
          </Notice>
        </div>
      )}
    </>
  );
}
