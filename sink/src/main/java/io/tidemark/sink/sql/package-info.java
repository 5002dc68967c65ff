/**
 * Tables in a SQL database, SQLite's or PostgreSQL's, by one implementation.
 *
 * <pre>
 *   change log --(ChangeLogTailer)--+                        +-- rows, past rows --+
 *                                   +--> SqlSink, SqlWriter -+                     +--> one transaction
 *   late log ----(LateLogTailer)----+                        +-- SqlProgress ------+
 *
 *   tables --(SqlTables)--> current rows --> export, verify
 * </pre>
 *
 * {@link io.tidemark.sink.sql.SqlTarget} says where the database is; {@code SqlSchema} what is in it.
 */
package io.tidemark.sink.sql;
