import { Maximize, Minus, Plus } from 'lucide-react';
import { IconButton } from '../button/icon-button.tsx';
import { zoomedIn, zoomedOut, zoomRange, zoomText } from './zoom.ts';

interface GraphToolsProps {
  zoom: number;
  onZoom: (zoom: number) => void;
  onFit: () => void;
}

/** Nearer, farther, and all of it (spec 9: zoom 0.1 to 1). */
export function GraphTools({ zoom, onZoom, onFit }: GraphToolsProps) {
  return (
    <div className="absolute right-3 bottom-3 flex items-center gap-0.5 rounded border bg-raised p-0.5">
      <IconButton
        label="Zoom out"
        size="sm"
        icon={<Minus aria-hidden size={14} />}
        disabled={zoom <= zoomRange.least + 1e-6}
        onClick={() => onZoom(zoomedOut(zoom))}
      />
      <output aria-label="Zoom" className="w-11 text-center text-xs text-muted tabular-nums">
        {zoomText(zoom)}
      </output>
      <IconButton
        label="Zoom in"
        size="sm"
        icon={<Plus aria-hidden size={14} />}
        disabled={zoom >= zoomRange.most - 1e-6}
        onClick={() => onZoom(zoomedIn(zoom))}
      />
      <IconButton label="Fit to view" size="sm" icon={<Maximize aria-hidden size={14} />} onClick={onFit} />
    </div>
  );
}
