import { createFileRoute } from '@tanstack/react-router';
import { TokensPage } from '../../../features/settings/tokens/tokens-page.tsx';
import { prefetch } from '../../../lib/api/prefetch.ts';

export const Route = createFileRoute('/dashboard/settings/tokens')({
  staticData: { crumb: 'API tokens' },
  loader: ({ context: { queryClient } }) =>
    prefetch(async () => {
      const { tokensQuery } = await import('../../../features/settings/queries.ts');
      await queryClient.prefetchQuery(tokensQuery);
    }),
  component: TokensPage,
});
