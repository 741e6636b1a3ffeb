import { ExternalLink } from 'lucide-react';
import { Empty } from '../text/empty.tsx';
import { linkStyle } from '../button/link-style.ts';

/** A reference: a link if it starts with http, else a text (spec 3). Reports are not trusted: no other scheme links. */
export function Reference({ text }: { text: string }) {
  const reference = text.trim();
  if (reference === '') return <Empty />;
  if (!/^https?:\/\//iu.test(reference)) return <span className="break-words">{reference}</span>;
  return <OutsideLink href={reference}>{reference}</OutsideLink>;
}

/** A link out of the product, in a tab of its own. */
export function OutsideLink({ href, children }: { href: string; children: string }) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" className={`${linkStyle} break-all`}>
      {children}
      <ExternalLink aria-label="opens in a new tab" size={12} className="ml-1 inline align-baseline" />
    </a>
  );
}
