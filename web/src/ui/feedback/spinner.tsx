import { LoaderCircle } from 'lucide-react';

/** Busy indicator. Decoration: the text next to it describes the work. */
export function Spinner({ size = 16 }: { size?: number }) {
  return <LoaderCircle aria-hidden size={size} className="animate-spin" />;
}
