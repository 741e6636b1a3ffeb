import { Search, X } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useShortcuts, useSingleKeys } from '../../lib/browser/shortcuts.ts';
import { inputStyle } from './input-style.ts';
import { Kbd } from '../text/kbd.tsx';

export interface SearchFieldProps {
  label: string;
  placeholder?: string;
  value: string;
  /** Called `delay` ms after the last key press; at once on Enter and on clear. */
  onChange: (value: string) => void;
  delay?: number;
}

/** A debounced search field; `/` focuses it from anywhere on the page. */
export function SearchField({
  label,
  placeholder = 'Search',
  value,
  onChange,
  delay = 250,
}: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [draft, setDraft] = useState(value);
  // Published searches that have not come back as `value` yet: the URL updates a moment later.
  const [echoes, setEchoes] = useState<readonly string[]>([]);
  const [seen, setSeen] = useState(value);
  if (value !== seen) {
    const echo = echoes.indexOf(value);
    setSeen(value);
    setEchoes(echo === -1 ? [] : echoes.slice(echo + 1));
    if (echo === -1) setDraft(value);
  }
  const published = echoes.at(-1) ?? seen;

  function publish(next: string) {
    setDraft(next);
    if (next === published) return;
    setEchoes([...echoes, next]);
    onChange(next);
  }

  // An effect event, so that a new render of the parent does not restart the delay.
  const publishDraft = useEffectEvent(() => publish(draft));
  useEffect(() => {
    if (draft === published) return undefined;
    const timer = setTimeout(() => publishDraft(), delay);
    return () => clearTimeout(timer);
  }, [draft, published, delay]);

  useShortcuts('This page', [{ keys: '/', label: 'Search', run: () => input.current?.focus() }]);
  const keys = useSingleKeys();

  return (
    <div className="relative w-full max-w-90">
      <Search aria-hidden size={16} className="absolute top-2.5 left-3 text-muted" />
      <input
        ref={input}
        type="search"
        aria-label={label}
        aria-keyshortcuts={keys ? '/' : undefined}
        placeholder={placeholder}
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={(event) => {
          // These keys end the composition of a Japanese or Chinese word, for example.
          if (event.nativeEvent.isComposing) return;
          if (event.key === 'Enter') publish(draft);
          if (event.key === 'Escape') publish('');
        }}
        className={`${inputStyle} pr-9 pl-9 [&::-webkit-search-cancel-button]:hidden`}
      />
      <span className="absolute inset-y-0 right-2 flex items-center">
        {draft === '' ? (
          keys && (
            <span aria-hidden className="hidden sm:inline">
              <Kbd>/</Kbd>
            </span>
          )
        ) : (
          <button
            type="button"
            aria-label="Clear search"
            onClick={() => {
              publish('');
              input.current?.focus();
            }}
            className="flex size-6 items-center justify-center rounded text-muted hover:text-text"
          >
            <X aria-hidden size={14} />
          </button>
        )}
      </span>
    </div>
  );
}
