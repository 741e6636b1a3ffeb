import { cwe, type Cwe } from '@riskboard/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from './api/call.ts';
import { ApiError } from './api/call-errors.ts';

/** Milliseconds after which a weakness that was not there is asked for again; one that was stays as it is. */
const absentFor = 5 * 60_000;

/** What to ask for, in this order: the value as given, its digits only, 'CWE-' and its digits (spec 7). */
export function cweForms(value: string): string[] {
  const digits = value.replaceAll(/\D/gu, '');
  const forms = digits === '' ? [value] : [value, digits, `CWE-${digits}`];
  return [...new Set(forms)].filter((form) => form.trim() !== '');
}

/** Whether it is a record, and not what wraps one. */
function isCwe(value: unknown): value is Cwe {
  const { ID, Name, Weaknesses, Consequences } = (value ?? {}) as Partial<Cwe>;
  return (
    typeof ID === 'string' && typeof Name === 'string' && [Weaknesses, Consequences].every(Array.isArray)
  );
}

/** The record of a reply, which may sit under cwe, item or data (spec 7). */
export function cweIn(reply: unknown): Cwe | undefined {
  const wrapped = (reply ?? {}) as { cwe?: unknown; item?: unknown; data?: unknown };
  for (const candidate of [reply, wrapped.cwe, wrapped.item, wrapped.data]) {
    if (isCwe(candidate)) return candidate;
  }
  return undefined;
}

async function ask(id: string, signal: AbortSignal): Promise<Cwe | undefined> {
  try {
    return cweIn(await call(cwe.get, { params: { id }, signal }));
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

/** Details of a weakness, kept for each value that was looked up; null: there are none. */
export const cweQuery = (value: string) =>
  queryOptions({
    queryKey: ['cwe', value],
    async queryFn({ signal }) {
      for (const form of cweForms(value)) {
        const found = await ask(form, signal);
        if (found !== undefined) return found;
      }
      return null;
    },
    staleTime: ({ state }) => (state.data === null ? absentFor : Infinity),
    gcTime: Infinity,
  });
