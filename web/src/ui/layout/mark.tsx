/** The product's logo, the same as public/icon.svg. */
export function Mark({ size = 24 }: { size?: number }) {
  return (
    <svg aria-hidden width={size} height={size} viewBox="0 0 32 32" className="shrink-0 text-accent">
      <rect width="32" height="32" rx="7" fill="currentColor" />
      <path
        d="M7 8h8M7 16h13M7 24h6"
        stroke="var(--on-accent)"
        strokeWidth="3"
        strokeLinecap="round"
        fill="none"
      />
      <circle cx="24" cy="24" r="3" fill="var(--mark)" />
    </svg>
  );
}
