import type { NodeHoverDrawingFunction, NodeLabelDrawingFunction } from 'sigma/rendering';
import type { GraphColors } from './colors.ts';

export const labelFont = "'Inter Variable', ui-sans-serif, system-ui, sans-serif";
const gap = 5;

interface Painters {
  label: NodeLabelDrawingFunction;
  hover: NodeHoverDrawingFunction;
}

/** How names are written beside nodes: on a halo of the ground, so that edges do not cross them out. */
export function paintersOf(colors: () => GraphColors): Painters {
  const label: NodeLabelDrawingFunction = (context, { label: text, size, x, y }, settings) => {
    if (typeof text !== 'string' || text === '') return;
    const { ground, text: ink } = colors();
    context.font = `${settings.labelWeight} ${settings.labelSize}px ${settings.labelFont}`;
    context.lineJoin = 'round';
    context.lineWidth = 3;
    context.strokeStyle = ground;
    context.strokeText(text, x + size + gap, y + settings.labelSize / 3);
    context.fillStyle = ink;
    context.fillText(text, x + size + gap, y + settings.labelSize / 3);
  };

  const hover: NodeHoverDrawingFunction = (context, data, settings) => {
    const { size, x, y } = data;
    const { ground, accent } = colors();
    context.strokeStyle = accent;
    context.lineWidth = 2;
    context.beginPath();
    context.arc(x, y, size + 3, 0, 2 * Math.PI);
    context.stroke();
    if (typeof data.label !== 'string' || data.label === '') return;
    context.font = `${settings.labelWeight} ${settings.labelSize}px ${settings.labelFont}`;
    const height = settings.labelSize + 10;
    const width = context.measureText(data.label).width + 12;
    context.fillStyle = ground;
    context.beginPath();
    context.roundRect(x + size + gap - 1, y - height / 2, width, height, 4);
    context.fill();
    context.lineWidth = 1;
    context.stroke();
    label(context, { ...data, x: x + 5 }, settings);
  };

  return { label, hover };
}
