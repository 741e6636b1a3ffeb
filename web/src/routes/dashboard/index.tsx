import { createFileRoute } from '@tanstack/react-router';

export const Route = createFileRoute('/dashboard/')({ component: Landing });

function Landing() {
  const { user } = Route.useRouteContext();
  return <h1>Hello, {user.firstName}</h1>;
}
