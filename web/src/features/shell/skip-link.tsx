/** First stop of the keyboard: past the navigation, to the page. */
export function SkipLink() {
  return (
    <a
      href="#main"
      className="fixed top-2 left-2 z-50 -translate-y-16 rounded border bg-raised px-3 py-2 font-medium shadow-raised focus:translate-y-0"
    >
      Skip to content
    </a>
  );
}
