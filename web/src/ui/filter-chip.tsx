import { X } from 'lucide-react';

interface FilterChipProps {
  /** What the list is narrowed by, such as 'File: report.json'. */
  label: string;
  onRemove: () => void;
}

/** A filter that is set, and the way to take it away. */
export function FilterChip({ label, onRemove }: FilterChipProps) {
  return (
    <span className="inline-flex h-7 max-w-full min-w-0 items-center gap-1 rounded-full bg-accent-soft pr-1 pl-3 text-sm text-accent-text">
      <span className="truncate">{label}</span>
      <button
        type="button"
        aria-label={`Remove filter ${label}`}
        onClick={onRemove}
        className="flex size-6 shrink-0 items-center justify-center rounded-full hover:bg-hover"
      >
        <X aria-hidden size={14} />
      </button>
    </span>
  );
}
