import { useMemo } from 'react';
import { encode } from 'uqr';

interface QrCodeProps {
  /** Content of the code. */
  text: string;
  /** Description for screen readers. */
  label: string;
}

/** White modules around the code, which scanners need (ISO/IEC 18004, quiet zone). */
const quiet = 4;

/** A QR code; dark on light in both themes, because many scanners require it. */
export function QrCode({ text, label }: QrCodeProps) {
  const { size, path } = useMemo(() => {
    const { data, size } = encode(text, { ecc: 'M', border: quiet });
    const cells = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')));
    return { size, path: cells.join('') };
  }, [text]);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-48 shrink-0 rounded border bg-paper text-ink"
    >
      <path d={path} fill="currentColor" />
    </svg>
  );
}
