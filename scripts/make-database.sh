#!/bin/sh
# Run once by the postgres image of docker-compose.yml on an empty volume: the product's role owns its database and may
# make the two roles that it works under, but is no superuser.
set -eu
psql --set=ON_ERROR_STOP=1 --set=password="$RISKBOARD_PASSWORD" --username=postgres <<'SQL'
create role riskboard login nosuperuser createrole password :'password';
create database riskboard owner riskboard;
SQL
