/**
 * What comes out of a pipeline: the change log as whole change-sets, and the current table that they make.
 *
 * <pre>
 *   change log --(ChangeLogReader)--> ChangeSet --(CurrentTable)--> current rows --> export, verify
 *   late log, reject log --(OutcomeLogs)--> LateEntry, RejectEntry --------------> export, verify
 * </pre>
 */
package io.tidemark.sink;
