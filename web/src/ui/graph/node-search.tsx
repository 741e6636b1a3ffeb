import { Autocomplete } from '@base-ui/react/autocomplete';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { inputStyle } from '../input/input-style.ts';
import { KindShape } from './kind-shape.tsx';
import { graphKinds, type GraphNode } from './kinds.ts';

interface NodeSearchProps {
  nodes: readonly GraphNode[];
  onPick: (node: GraphNode) => void;
}

/** Maximum number of results. */
const mostOffered = 30;

/** Finds a node of the graph by name; choosing one centers it. */
export function NodeSearch({ nodes, onPick }: NodeSearchProps) {
  const [text, setText] = useState('');
  const term = text.trim().toLowerCase();
  const found = term === '' ? [] : nodes.filter(({ name }) => name.toLowerCase().includes(term));
  return (
    <Autocomplete.Root
      inline
      open
      items={found.slice(0, mostOffered)}
      mode="none"
      autoHighlight="always"
      value={text}
      onValueChange={(value, { reason }) => reason !== 'item-press' && setText(value)}
      itemToStringValue={({ name }: GraphNode) => name}
    >
      <div className="relative w-full sm:w-64">
        <Search aria-hidden size={14} className="absolute top-2 left-2.5 text-muted" />
        <Autocomplete.Input
          aria-label="Find in the graph"
          aria-expanded={found.length > 0}
          placeholder="Find in the graph"
          onKeyDown={(event) => {
            if (event.key === 'Escape') setText('');
          }}
          className={`${inputStyle} h-7.5! pl-8 text-sm!`}
        />
        <div
          hidden={term === ''}
          className="absolute inset-x-0 top-full z-20 mt-1 max-h-72 min-w-64 overflow-y-auto rounded border bg-raised p-1 shadow-raised"
        >
          <Autocomplete.Empty className="px-2 py-1.5 text-sm text-muted empty:hidden">
            {term !== '' && 'No matching record.'}
          </Autocomplete.Empty>
          <Autocomplete.List aria-label="Found in the graph">
            {(node: GraphNode) => (
              <Autocomplete.Item
                key={node._id}
                value={node}
                onClick={() => {
                  setText('');
                  onPick(node);
                }}
                className="flex min-h-8 cursor-pointer items-center gap-2 rounded border border-transparent px-2 text-sm outline-none data-highlighted:border-line-strong data-highlighted:bg-hover"
              >
                <KindShape kind={node.kind} />
                <span className="min-w-0 grow truncate">{node.name}</span>
                <span className="text-xs text-muted">{graphKinds[node.kind].one}</span>
              </Autocomplete.Item>
            )}
          </Autocomplete.List>
        </div>
      </div>
    </Autocomplete.Root>
  );
}
