import { Kbd } from '../../ui/text/kbd.tsx';

const isMac = /mac/iu.test(navigator.platform);
const symbols: Readonly<Record<string, string>> = { Mod: isMac ? '⌘' : 'Ctrl', Enter: '↵' };

/** The keys of 'Mod K' as this platform names them: 'Ctrl', 'K'. */
const keysOf = (keys: string): string[] =>
  keys.split(' ').map((key) => symbols[key] ?? (key.length === 1 ? key.toUpperCase() : key));

/** The keys of a shortcut. */
export function Keys({ keys }: { keys: string }) {
  return (
    <span className="flex shrink-0 items-center gap-1">
      {keysOf(keys).map((key) => (
        <Kbd key={key}>{key}</Kbd>
      ))}
    </span>
  );
}
