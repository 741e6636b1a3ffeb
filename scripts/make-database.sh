#!/bin/sh
# Run once by the postgres image of docker-compose.yml on an empty volume. The product's role owns its database and may
# create the product's other roles, but is not a superuser.
set -eu
psql --set=ON_ERROR_STOP=1 --set=password="$RISKBOARD_PASSWORD" --username=postgres <<'SQL'
create role riskboard login nosuperuser createrole password :'password';
create database riskboard owner riskboard;
SQL
