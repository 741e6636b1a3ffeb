import { LoaderCircle } from 'lucide-react';

/** Turns while work is under way. Decoration: the words beside it say what is going on. */
export function Spinner({ size = 16 }: { size?: number }) {
  return <LoaderCircle aria-hidden size={size} className="animate-spin" />;
}
