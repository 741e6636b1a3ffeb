/** Work whose end this tab shows in a toast: plain data, because it outlives a reload of the page. */
export interface FollowedWork {
  /** Id of the job, or of a batch of uploads; also of the toast. */
  readonly id: string;
  /** Which function shows the end. */
  readonly kind: string;
  readonly data: unknown;
}

const key = 'riskboard.followed-work';

interface Kept {
  readonly owner: string;
  readonly works: readonly FollowedWork[];
}

/** The work that this tab follows. It is kept in the session storage, which other tabs do not share. */
export function createFollowedWork() {
  let owner = '';
  let works = new Map<string, FollowedWork>();

  function keep(): void {
    try {
      if (works.size === 0) sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, JSON.stringify({ owner, works: [...works.values()] } satisfies Kept));
    } catch {
      // Without storage, the toasts are lost on a reload.
    }
  }

  return {
    /**
     * Says whose work is followed: one user in one organization. Work of another owner is forgotten.
     * @returns what the page before a reload followed, the first time that an owner is set
     */
    setOwner(next: string): readonly FollowedWork[] {
      if (owner === next) return [];
      const isReload = owner === '';
      const kept = isReload ? readKept() : undefined;
      owner = next;
      works = new Map(kept?.owner === next ? kept.works.map((work) => [work.id, work]) : []);
      keep();
      return [...works.values()];
    },
    /** Forgets all work: the user has logged out. */
    clear(): void {
      owner = '';
      works.clear();
      keep();
    },
    add(work: FollowedWork): void {
      works.set(work.id, work);
      keep();
    },
    has: (id: string): boolean => works.has(id),
    /** @returns whether the work was followed: only then is its end shown */
    end(id: string): boolean {
      const was = works.delete(id);
      keep();
      return was;
    },
  };
}

/** The work that this tab follows. */
export const followedWork = createFollowedWork();

function readKept(): Kept | undefined {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null');
    return isKept(kept) ? kept : undefined;
  } catch {
    return undefined;
  }
}

function isKept(value: unknown): value is Kept {
  const { owner, works } = (value ?? {}) as Partial<Record<keyof Kept, unknown>>;
  return typeof owner === 'string' && Array.isArray(works) && works.every(isWork);
}

function isWork(value: unknown): value is FollowedWork {
  const { id, kind } = (value ?? {}) as Partial<Record<keyof FollowedWork, unknown>>;
  return typeof id === 'string' && typeof kind === 'string';
}
