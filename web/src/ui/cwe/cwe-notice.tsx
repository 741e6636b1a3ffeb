import { linkStyle } from '../button/link-style.ts';

interface CweNoticeProps {
  /** As in 'CWE 4.15'. */
  source: string;
  /** MITRE's copyright designation and terms, in paragraphs. */
  notice: string;
}

/** Where the catalogue's content comes from, with MITRE's notice, which its terms of use require near the content. */
export function CweNotice({ source, notice }: CweNoticeProps) {
  return (
    <details className="text-xs text-muted">
      <summary className="cursor-pointer py-1">
        {source}, © The MITRE Corporation. CWE is a trademark of The MITRE Corporation, which does not endorse
        Riskboard. <span className={linkStyle}>Terms of use</span>
      </summary>
      <div className="mt-2 flex max-w-[80ch] flex-col gap-2 whitespace-pre-line">{notice}</div>
    </details>
  );
}
