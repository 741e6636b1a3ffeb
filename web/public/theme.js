// Runs before the first paint, so that a stored theme never flashes. The key is that of src/lib/browser/theme.ts.
try {
  const theme = localStorage.getItem('riskboard.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be switched off: the system's theme stays.
}
