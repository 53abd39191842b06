-- Makes the two roles and the database of a team server. Run it once with psql, as a superuser, with both passwords in
-- CLAIMDESK_OWNER_PASSWORD and CLAIMDESK_SERVER_PASSWORD.
\set ON_ERROR_STOP on
\getenv owner_password CLAIMDESK_OWNER_PASSWORD
\getenv server_password CLAIMDESK_SERVER_PASSWORD
CREATE ROLE claimdesk_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE claimdesk_server LOGIN PASSWORD :'server_password';
CREATE DATABASE claimdesk OWNER claimdesk_owner;
REVOKE ALL ON DATABASE claimdesk FROM PUBLIC;
GRANT CONNECT ON DATABASE claimdesk TO claimdesk_server;
