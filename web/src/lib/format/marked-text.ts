/** A part of a text: plain, a link, code, or the citation of a source by its number in `citations`. */
export type TextPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly href: string }
  | { readonly kind: 'citation'; readonly number: number };

export interface MarkedText {
  readonly parts: readonly TextPart[];
  /** Names of the cited sources, each once, in the order of their numbers from 1. */
  readonly citations: readonly string[];
}

/**
 * The marks that ATT&CK and its users write into descriptions: `[text](https://…)`, `(Citation: name)`, `<code>…</code>` and
 * `` `…` ``. Every part of the pattern has a limit and excludes the character that starts a mark, so that a text of
 * megabytes is read in one pass.
 */
const marks =
  /\[(?<label>[^[\]\n]{1,200})\]\((?<href>https?:\/\/[^\s()<>[\]"]{1,2000}(?:\([^\s()<>[\]"]{0,200}\)[^\s()<>[\]"]{0,2000})?)\)|\(Citation: (?<source>(?:[^()\n]|\([^()\n]{0,100}\)){1,300})\)|<code>(?<tagged>[^<\n]{1,1000})<\/code>|`(?<quoted>[^`\n]{1,1000})`/giu;

/** Whether a label is an address, which may be another one than that of its link: both stay as they are written. */
const isAddress = (label: string): boolean => /:\/\/|^\s*[\w-]+(?:\.[\w-]+)+\s*[/:?#]/u.test(label);
/** Whether a label may be the name of a host, as `Agent.btz` and `cipher.exe` may: it is shown without its link. */
const mayBeHost = (label: string): boolean => /^\s*[\w-]+(?:\.[\w-]+)+\s*$/u.test(label);

/** Characters of a text that is split. A longer one could have so many marks that showing them takes seconds. */
const longest = 100_000;

/** Splits a description at its marks. A link is only one to http or https; all other markup stays text. */
export function readMarks(text: string): MarkedText {
  if (text.length > longest) return { parts: [{ kind: 'text', text }], citations: [] };
  const parts: TextPart[] = [];
  const numbers = new Map<string, number>();
  let from = 0;
  for (const match of text.matchAll(marks)) {
    const { label, href, source, tagged, quoted } = match.groups ?? {};
    if (label !== undefined && label !== href && isAddress(label)) continue;
    if (match.index > from) parts.push({ kind: 'text', text: text.slice(from, match.index) });
    from = match.index + match[0].length;
    if (label !== undefined && mayBeHost(label)) parts.push({ kind: 'text', text: label });
    else if (label !== undefined && href !== undefined) parts.push({ kind: 'link', text: label, href });
    else if (source === undefined) parts.push({ kind: 'code', text: tagged ?? quoted ?? '' });
    else {
      const number = numbers.get(source) ?? numbers.size + 1;
      numbers.set(source, number);
      parts.push({ kind: 'citation', number });
    }
  }
  if (from < text.length) parts.push({ kind: 'text', text: text.slice(from) });
  return { parts, citations: [...numbers.keys()] };
}
