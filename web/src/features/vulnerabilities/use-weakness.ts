import { useNavigate, useSearch } from '@tanstack/react-router';

/** The CWE whose panel is open, in the address of the page; lists and details have it alike. */
export function useWeakness() {
  const { weakness } = useSearch({ strict: false });
  const navigate = useNavigate();
  // It takes the place of a row's panel, to which Back leads.
  const show = (id: string | undefined) =>
    void navigate({
      to: '.',
      search: (now: object) => ({ ...now, weakness: id, peek: undefined }),
      resetScroll: false,
    });
  return { weakness, open: show, close: () => show(undefined) };
}
