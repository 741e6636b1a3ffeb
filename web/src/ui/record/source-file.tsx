import { Link } from '@tanstack/react-router';
import { Empty } from '../text/empty.tsx';
import { linkStyle } from '../button/link-style.ts';

/** Name of the newest report that asserts a record, leading to it among the files. */
export function SourceFile({ name }: { name: string }) {
  if (name === '') return <Empty />;
  return (
    <Link to="/dashboard/reports" search={{ search: name }} className={`${linkStyle} break-all`}>
      {name}
    </Link>
  );
}
