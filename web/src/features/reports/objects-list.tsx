import { useQuery } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import type { HowChanged } from '../../ui/list/list-control.ts';
import { ListPage } from '../../ui/list/list-page.tsx';
import { objectsSource, type ObjectsSearch } from './objects-source.ts';
import { objectsView } from './objects-view.tsx';

interface ObjectsListProps {
  fileId: string;
  search: ObjectsSearch;
  onSearch: (search: ObjectsSearch, how?: HowChanged) => void;
}

/** The objects and records that are not in the lists, one by one, each with its place and reason. */
export function ObjectsList({ fileId, search, onSearch }: ObjectsListProps) {
  const params = { id: fileId };
  const query = useQuery(objectsSource.query(search, params));
  return (
    <ListPage
      view={objectsView}
      query={query}
      params={params}
      search={search}
      onSearch={onSearch}
      empty={{
        icon: <CircleCheck aria-hidden size={20} />,
        description: 'Every object of this file became a record.',
      }}
    />
  );
}
