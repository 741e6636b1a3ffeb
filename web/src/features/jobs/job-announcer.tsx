import { useEffect, useState } from 'react';
import { jobStore } from '../../lib/jobs/job-store.ts';
import { announcementOf } from './announcements.ts';

/** Milliseconds for which changes are gathered, so that a bulk upload does not talk without end. */
const gather = 1000;

/** Says aloud what starts and ends, to those who do not see it. */
export function JobAnnouncer() {
  const [said, setSaid] = useState('');
  useEffect(() => {
    let before = jobStore.get();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const unsubscribe = jobStore.subscribe(() => {
      timer ??= setTimeout(() => {
        timer = undefined;
        const after = jobStore.get();
        const news = announcementOf(before, after);
        before = after;
        if (news !== null) setSaid(news);
      }, gather);
    });
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, []);
  return (
    <output aria-label="Background jobs" className="sr-only">
      {said}
    </output>
  );
}
