/** How fast the last files of an organization were read and extracted. Times in seconds. */
export interface ProcessingRate {
  files: number;
  bytes: number;
  /** Of all runs together. */
  seconds: number;
  /** During which at least one of them ran. */
  busySeconds: number;
  /** The line through sizes and durations; null when all files have the same size. */
  secondsPerByte: number | null;
  secondsPerFile: number | null;
}

/** Fewer files say too little about the next ones. */
const fewest = 3;

/**
 * Seconds that files of a total size will take, at the rate of the last files; null when there are too few. Falls back
 * to the mean time per file where the line through the last files does not grow with the size.
 */
export function estimateSeconds(
  { files, bytes }: { files: number; bytes: number },
  rate: ProcessingRate,
): number | null {
  if (rate.files < fewest || rate.seconds <= 0 || rate.busySeconds <= 0) return null;
  const parallel = Math.max(1, rate.seconds / rate.busySeconds);
  const { secondsPerByte, secondsPerFile } = rate;
  const isLine =
    secondsPerByte !== null && secondsPerFile !== null && secondsPerByte >= 0 && secondsPerFile >= 0;
  const seconds = isLine
    ? secondsPerByte * bytes + secondsPerFile * files
    : (rate.seconds / rate.files) * files;
  return seconds / parallel;
}
