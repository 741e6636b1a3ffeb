import { defaultParseSearch, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { linkStyle } from './link-style.ts';

interface PathLinkProps {
  /** Path and query of a page of the product, as the API replies with it: '/dashboard/threats?risk=high'. */
  path: string;
  className?: string;
  onClick?: () => void;
  children: ReactNode;
}

/** A link to a page whose address comes from the API; it navigates without a reload. */
export function PathLink({ path, className = linkStyle, onClick, children }: PathLinkProps) {
  const [pathname = '', query = ''] = path.split('?', 2);
  return (
    <Link to={pathname} search={defaultParseSearch(query) as never} className={className} onClick={onClick}>
      {children}
    </Link>
  );
}
