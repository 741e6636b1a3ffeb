#!/bin/sh
# Run once by the postgres image of docker-compose.yml on an empty volume. The product's role owns its database and may
# create the product's other roles, but is not a superuser. The database gets the encoding and the sort order of the
# embedded one, whatever the image gives to its cluster.
set -eu
psql --set=ON_ERROR_STOP=1 --set=password="$RISKBOARD_PASSWORD" --username=postgres <<'SQL'
create role riskboard login nosuperuser createrole password :'password';
create database riskboard owner riskboard template template0 encoding 'UTF8'
  locale 'C.UTF-8' locale_provider icu icu_locale 'und';
SQL
