import { lazily } from '@riskboard/domain';
import type { ActivityEntry } from '@riskboard/contract';
import { Bot, UserRound } from 'lucide-react';

interface Person {
  name: string;
  /** Empty when the log has none. */
  email: string;
}

/** Parses an actor label of the log, such as 'Ada Lovelace <ada@example.org>'. Any other text is a name. */
export function personOf(text: string): Person {
  const [, name, email] = /^(.*) <([^<>]+)>$/su.exec(text) ?? [];
  return name === undefined || email === undefined ? { name: text, email: '' } : { name, email };
}

/** Name of the actor; without a name, the product itself or an unknown user. */
export function actorOf({ actor, via }: Pick<ActivityEntry, 'actor' | 'via'>): Person {
  if (actor !== '') return personOf(actor);
  return { name: via === 'system' ? 'Riskboard' : 'Unknown user', email: '' };
}

/** Splits into user-perceived characters. */
const characters = lazily(() => new Intl.Segmenter('en-US'));

const firstOf = (word: string): string =>
  characters().segment(word)[Symbol.iterator]().next().value?.segment ?? '';

/** 'AL' of 'Ada Lovelace', 'A' of 'Ada'. */
export function initialsOf(name: string): string {
  const parts = name.split(/\s+/u).filter((word) => word !== '');
  const ends = parts.length > 1 ? [parts[0], parts.at(-1)] : parts;
  return ends
    .map((word = '') => firstOf(word))
    .join('')
    .toUpperCase();
}

const round = 'flex size-6 shrink-0 items-center justify-center rounded-full';

/** Initials of the actor. Decoration: the name is next to it. */
export function Avatar({ entry }: { entry: Pick<ActivityEntry, 'actor' | 'via'> }) {
  if (entry.actor === '') {
    const Icon = entry.via === 'system' ? Bot : UserRound;
    return (
      <span aria-hidden className={`${round} bg-hover text-muted`}>
        <Icon size={14} />
      </span>
    );
  }
  return (
    <span
      aria-hidden
      className={`${round} bg-accent-soft text-[10px] leading-none font-semibold text-accent-text`}
    >
      {initialsOf(actorOf(entry).name)}
    </span>
  );
}

/** The actor, and whether an API token acted for them. */
export function Actor({ entry }: { entry: ActivityEntry }) {
  const { name, email } = actorOf(entry);
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Avatar entry={entry} />
      <span className="flex min-w-0 flex-col">
        <span className="max-w-44 truncate">{name}</span>
        <span className="max-w-52 truncate text-xs text-muted">
          <span className="hidden xl:inline">{email}</span>
          {entry.via === 'token' && (
            <>
              {email !== '' && <span className="hidden xl:inline"> · </span>}
              API token
            </>
          )}
        </span>
      </span>
    </span>
  );
}
