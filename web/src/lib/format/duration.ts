/** 'under 0.1 s', '0.4 s', '12 s', '3 min 05 s', '1 h 02 min'. */
export function duration(ms: number): string {
  if (ms < 50) return 'under 0.1 s';
  if (ms < 950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${pad(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${pad(minutes % 60)} min`;
}

const pad = (value: number): string => String(value).padStart(2, '0');
