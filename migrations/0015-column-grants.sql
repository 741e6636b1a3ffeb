-- The role that serves requests sees no hash of a secret. A statement smuggled into one of its connections could
-- otherwise read them within its organization. New columns of these tables need a grant of their own.
revoke select, update on session from riskboard_app;
grant select (id, organization_id, account_id, created_at, last_used_at, expires_at, ended_at, user_agent, address)
  on session to riskboard_app;
grant update (ended_at) on session to riskboard_app;

-- Tokens are created under the system role (migration 0011).
revoke select, insert on api_token from riskboard_app;
grant select (id, organization_id, account_id, name, role, hint, created_at, last_used_at, expires_at)
  on api_token to riskboard_app;

revoke select on invitation from riskboard_app;
grant select (id, organization_id, email, role, invited_by, created_at, expires_at) on invitation to riskboard_app;
