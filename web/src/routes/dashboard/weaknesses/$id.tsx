import { createFileRoute } from '@tanstack/react-router';
import { WeaknessPage } from '../../../features/weaknesses/detail/weakness-page.tsx';
import { weaknessQuery } from '../../../features/weaknesses/queries.ts';

export const Route = createFileRoute('/dashboard/weaknesses/$id')({
  staticData: { crumb: 'Weakness', section: 'Weaknesses' },
  loader: ({ context: { queryClient }, params: { id } }) => void queryClient.prefetchQuery(weaknessQuery(id)),
  component: Weakness,
});

function Weakness() {
  const { id } = Route.useParams();
  return <WeaknessPage key={id} id={id} />;
}
