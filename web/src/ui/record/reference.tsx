import { Link } from '@tanstack/react-router';
import { ExternalLink } from 'lucide-react';
import { linkStyle } from '../button/link-style.ts';
import { Empty } from '../text/empty.tsx';
import { FileNameText } from '../text/file.tsx';

/**
 * A reference: a link when it starts with http, else text (spec 3). Reports are not trusted: no other scheme becomes a
 * link.
 */
export function Reference({ text }: { text: string }) {
  const reference = text.trim();
  if (reference === '') return <Empty />;
  if (!/^https?:\/\//iu.test(reference)) return <span className="break-words">{reference}</span>;
  return <OutsideLink href={reference}>{reference}</OutsideLink>;
}

/** A link out of the product; it opens in a new tab. */
export function OutsideLink({ href, children }: { href: string; children: string }) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" className={`${linkStyle} break-all`}>
      {children}
      <ExternalLink aria-label="opens in a new tab" size={12} className="ml-1 inline align-baseline" />
    </a>
  );
}

/** Name of the newest report that contains a record, with a link to it in the list of files. */
export function SourceFile({ name }: { name: string }) {
  if (name === '') return <Empty />;
  return (
    <Link to="/dashboard/reports" search={{ search: name }} className={`${linkStyle} wrap-anywhere`}>
      <FileNameText name={name} />
    </Link>
  );
}
