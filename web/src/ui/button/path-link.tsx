import { listRoutes } from '@riskboard/contract';
import { defaultParseSearch, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { wholeList } from '../../lib/list/list-state.ts';
import { linkStyle } from './link-style.ts';

interface PathLinkProps {
  /** Path and query of a page of the product, as the API replies with it: '/dashboard/threats?risk=high'. */
  path: string;
  className?: string;
  onClick?: () => void;
  children: ReactNode;
}

const isList = (path: string): boolean => (listRoutes as readonly string[]).includes(path);

/**
 * A link to a page whose address is a text, such as one from the API; it navigates without a reload. A list without
 * parameters opens as a whole, not in the user's default view.
 */
export function PathLink({ path, className = linkStyle, onClick, children }: PathLinkProps) {
  const [pathname = '', query = ''] = path.split('?', 2);
  const search = query === '' && isList(pathname) ? { view: wholeList } : defaultParseSearch(query);
  return (
    <Link to={pathname} search={search as never} className={className} onClick={onClick}>
      {children}
    </Link>
  );
}
