interface SkeletonProps {
  /** CSS width. */
  width?: string;
}

/** A grey line in the place of a text that is on its way. */
export function Skeleton({ width = '60%' }: SkeletonProps) {
  return <span aria-hidden className="inline-block h-3 animate-pulse rounded bg-line" style={{ width }} />;
}
