/**
 * The roles that the product works under; none owns a table or bypasses row-level security. Only the search functions
 * run as `search` (migration 0007). Only a backup, which the owner of the database starts, reads as `backup`: the rows of
 * all organizations, by a policy of each table.
 */
export const databaseRoles = {
  app: 'riskboard_app',
  system: 'riskboard_system',
  search: 'riskboard_search',
  backup: 'riskboard_backup',
} as const;
