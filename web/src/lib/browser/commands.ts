import { useEffect, useId, type ReactNode } from 'react';
import { createStore, useStore } from './store.ts';

/** Groups of the palette in display order: what can be done here comes first. */
export const commandGroups = ['Selection', 'This record', 'Actions', 'Pages'] as const;
export type CommandGroup = (typeof commandGroups)[number];

/** An entry of the palette other than a record. */
export interface Command {
  readonly id: string;
  readonly group: CommandGroup;
  readonly label: string;
  /** What the group acts on, such as the name of the record; shown with the title of the group. */
  readonly about?: string;
  /** Additional search terms. */
  readonly terms?: string | undefined;
  readonly icon: ReactNode;
  /** Keyboard shortcut of the same action, such as `g v`. */
  readonly keys?: string | undefined;
  /** Why the user may not run it; the entry is disabled and shows the reason. */
  readonly refusal?: string | undefined;
  readonly run: () => void;
}

const registered = createStore<ReadonlyMap<string, readonly Command[]>>(new Map());

/** Commands that the palette offers while the component is mounted. */
export function useCommands(commands: readonly Command[]): void {
  const id = useId();
  useEffect(() => {
    registered.set(new Map([...registered.get(), [id, commands]]));
  }, [id, commands]);
  useEffect(
    () => () => {
      registered.set(new Map([...registered.get()].filter(([other]) => other !== id)));
    },
    [id],
  );
}

/** The commands of all mounted components. */
export const useRegisteredCommands = (): readonly Command[] => [...useStore(registered).values()].flat();
