import { useEffect, useState, type RefObject } from 'react';

const tokens = {
  critical: '--graph-critical',
  high: '--graph-high',
  medium: '--graph-medium',
  low: '--graph-low',
  red: '--graph-red',
  amber: '--graph-amber',
  green: '--graph-low',
  unknown: '--graph-unknown',
  outline: '--graph-outline',
  dim: '--graph-dim',
  edge: '--graph-edge',
  denseEdge: '--graph-dense-edge',
  ground: '--surface',
  text: '--text',
  muted: '--muted',
  accent: '--focus',
} as const;

/** The theme's colors as `rgb(…)`, for a canvas. */
export type GraphColors = Record<keyof typeof tokens, string>;

/** Resolves colors through the browser: canvases do not support `var()` and `light-dark()`. */
function readColors(inside: HTMLElement): GraphColors {
  const probe = inside.appendChild(document.createElement('span'));
  probe.hidden = true;
  const entries = Object.entries(tokens).map(([name, token]) => {
    probe.style.color = `var(${token})`;
    return [name, getComputedStyle(probe).color];
  });
  probe.remove();
  return Object.fromEntries(entries) as GraphColors;
}

/** Colors of the graph in the current theme of an element. */
export function useGraphColors(inside: RefObject<HTMLElement | null>): GraphColors | undefined {
  const [colors, setColors] = useState<GraphColors>();
  useEffect(() => {
    const read = () => inside.current !== null && setColors(readColors(inside.current));
    read();
    const chosen = new MutationObserver(read);
    chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    const machine = matchMedia('(prefers-color-scheme: dark)');
    machine.addEventListener('change', read);
    return () => {
      chosen.disconnect();
      machine.removeEventListener('change', read);
    };
  }, [inside]);
  return colors;
}
