import { type AuditEntry, openDetailsOf } from '../../../contract/audit.ts';

/** Codes, IDs, times, and lists of them; the table of actions lists the details that contain nothing else. */
const codes = /^[\w.:,+-]+( [\w.:,+-]+)*$/;

/** The random end of a workspace's ID, which begins with its name. */
const workspaceNumber = /(?<=-)[a-z0-9]{5}$/;

/** An entry in the form in which it is sent. `json`: printable ASCII, without a line break. */
export interface ForwardedEntry extends Pick<AuditEntry, 'seq' | 'at' | 'action' | 'hash'> {
  readonly computer: string;
  readonly json: string;
}

/**
 * Converts an entry to a form without personal data: no account name, no ID of a record, no text that a user wrote.
 * `follows` is the hash of the previous entry, which reveals a missing entry; `computer` is the random ID of the
 * profile. It is a pure function.
 */
export function toForwarded(entry: AuditEntry, follows: string, computer: string): ForwardedEntry {
  const { seq, at, action, workspaceId, hash } = entry;
  const details = Object.fromEntries(
    openDetailsOf(action).flatMap((name) => {
      const value = entry.details[name];
      return value === undefined || (typeof value === 'string' && !codes.test(value)) ? [] : [[name, value]];
    }),
  );
  const workspace = workspaceNumber.exec(workspaceId ?? '')?.[0] ?? null;
  const json = JSON.stringify({ seq, at, computer, action, workspace, details, follows, hash });
  return { seq, at, action, hash, computer, json };
}

/** Facility 13, log audit, with severity 6, informational (RFC 5424, 6.2.1). */
const priority = 13 * 8 + 6;

/** Converts an entry to a syslog message (RFC 5424) preceded by its length (RFC 5425, 4.3). It is a pure function. */
export function toSyslogFrame({ at, action, computer, json }: ForwardedEntry): string {
  const message = `<${priority}>1 ${at} ${computer} claimdesk - ${action} - ${json}`;
  return `${message.length} ${message}`;
}
