import type { ReactNode } from 'react';

interface RecordLayoutProps {
  /** Facts: beside the rest where there is room, before it on narrow screens. */
  aside: ReactNode;
  children: ReactNode;
}

/** Arrangement of a record's page. */
export function RecordLayout({ aside, children }: RecordLayoutProps) {
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_340px] xl:grid-cols-[minmax(0,1fr)_400px]">
      <div className="flex min-w-0 flex-col gap-4 lg:order-last">{aside}</div>
      <div className="flex min-w-0 flex-col gap-4">{children}</div>
    </div>
  );
}
