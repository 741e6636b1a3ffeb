import { ProgressBar } from '../feedback/progress-bar.tsx';

interface PasswordMeterProps {
  password: string;
  /** The server has refused this password, for example as too common: no strength is shown. */
  refused?: boolean;
}

/** Requirements of a password and its estimated strength. */
export function PasswordMeter({ password, refused = false }: PasswordMeterProps) {
  if (password === '') return `Use at least ${shortest} characters, such as a few unrelated words.`;
  const { word, tone, share } = refused ? notAccepted : passwordStrength(password);
  const missing = shortest - password.length;
  return (
    <div className="flex items-center gap-3">
      <ProgressBar label="Password strength" value={share} tone={tone} />
      <output className="shrink-0">{missing > 0 ? `${missing} more needed` : word}</output>
    </div>
  );
}

/** Minimum length of a password (contract, Accounts). */
const shortest = 12;

const pools = [
  { pattern: /[a-z]/u, size: 26 },
  { pattern: /[A-Z]/u, size: 26 },
  { pattern: /\d/u, size: 10 },
  { pattern: /[^a-zA-Z\d]/u, size: 33 },
] as const;

/** Minimum estimate in bits of each grade, highest first. */
const grades = [
  { from: 75, word: 'Strong', tone: 'success' },
  { from: 55, word: 'Good', tone: 'success' },
  { from: 0, word: 'Weak', tone: 'danger' },
] as const;

/** Share of the bar that the lowest grade fills. */
const leastShare = 0.3;

const notAccepted = { word: 'Not accepted', tone: 'danger', share: leastShare } as const;

interface PasswordStrength {
  word: 'Too short' | (typeof grades)[number]['word'];
  tone: 'success' | 'danger';
  /** 0-1, for a bar. */
  share: number;
}

/**
 * Rough strength of a password: the number of characters that do not repeat or continue a sequence, times the bits of
 * the alphabet in use. A guide while typing; the server decides.
 */
export function passwordStrength(password: string): PasswordStrength {
  const length = password.length;
  if (length < shortest) return { word: 'Too short', tone: 'danger', share: (length / shortest) * 0.25 };
  const alphabet = pools
    .filter(({ pattern }) => pattern.test(password))
    .reduce((sum, { size }) => sum + size, 0);
  const estimate = surprises(password) * Math.log2(alphabet);
  const bits = isTermsWithYear(password) ? Math.min(estimate, mostBitsOfTerms) : estimate;
  const { word, tone } = grades.find(({ from }) => bits >= from) ?? grades[2];
  return { word, tone, share: Math.min(1, Math.max(leastShare, bits / 90)) };
}

/** Number of characters, without repetitions and sequences ('aa', 'ab', 'ba', '12'). */
function surprises(password: string): number {
  const codes = Array.from(password, (character) => character.codePointAt(0) ?? 0);
  const fresh = codes.filter((code, index) => Math.abs(code - (codes[index - 1] ?? -9)) > 1);
  return Math.min(fresh.length, new Set(codes).size * 1.5);
}

/** Estimate in bits of one or two words and a year: below the second grade. */
const mostBitsOfTerms = 40;

/**
 * Whether a password is one or two words, in which signs may replace letters, before or after a year: `Riskboard 2026!`.
 * The server refuses these for frequent words, whose list is too long for a page (api, common passwords).
 */
function isTermsWithYear(password: string): boolean {
  const rest = password.replace(/(?:19|20)\d\d\d*[^\p{L}\d]*$|^(?:19|20)\d\d/u, '');
  const terms = rest.split(/[^\p{L}\d@$]+/u).filter((text) => text !== '');
  return rest !== password && terms.length <= 2 && terms.every((text) => /^[\p{L}@$01345]+$/u.test(text));
}
