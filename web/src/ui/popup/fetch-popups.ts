/** Fetches what menus, tooltips, selects and questions open, so that the first of them opens at once. */
export function fetchPopups(): void {
  // Offline, or a newer build has taken the place of this one: whoever opens one learns it.
  void Promise.all([
    import('./menu-panel.tsx'),
    import('./tooltip-popup.tsx'),
    import('../input/select-list.tsx'),
    import('../dialog/alert-dialog-panel.tsx'),
  ]).catch(() => undefined);
}
