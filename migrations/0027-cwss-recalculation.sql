-- Workers look for organizations with stale scores.
grant select (cwss_state) on vulnerability to riskboard_system;
