interface SkeletonProps {
  /** CSS width. */
  width?: string;
}

/** Placeholder line for text that is loading. */
export function Skeleton({ width = '60%' }: SkeletonProps) {
  return <span aria-hidden className="inline-block h-3 animate-pulse rounded bg-line" style={{ width }} />;
}
