import { createFileRoute } from '@tanstack/react-router';
import { TokensPage } from '../../../features/settings/tokens/tokens-page.tsx';
import { tokensQuery } from '../../../features/settings/queries.ts';

export const Route = createFileRoute('/dashboard/settings/tokens')({
  staticData: { crumb: 'API tokens' },
  loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(tokensQuery),
  component: TokensPage,
});
