import type { AuditRecord } from '../../contract/audit.ts';
import type { MainProcedureName } from '../../contract/procedures.ts';

type Facts = Readonly<Record<string, unknown>>;

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Procedures of main that are recorded in the audit log after they have succeeded. */
const described: {
  readonly [P in MainProcedureName]?: (
    input: Facts,
    output: Facts,
  ) => Omit<AuditRecord, 'workspaceId'> | null;
} = {
  'keys:generate': (_input, output) => ({
    action: 'key.made',
    details: { keyId: text(output.id), type: text(output.type) },
  }),
  'keys:use': (input) => ({ action: 'key.chosen', details: { keyId: text(input.keyId) } }),
  'keys:check': (_input, output) => ({
    action: 'key.proven',
    details: { keyId: text(output.keyId), requestId: text(output.requestId) },
  }),
  'keys:import': (input, output) =>
    output.id === undefined
      ? null
      : {
          action: 'key.imported',
          details: {
            keyId: text(output.id),
            type: text(output.type),
            from: text((input.source as Facts | undefined)?.kind),
          },
        },
  'keys:savePublic': (input) => ({ action: 'key.publicSaved', details: { keyId: text(input.keyId) } }),
  'keys:rename': (input) => ({ action: 'key.renamed', details: { keyId: text(input.keyId) } }),
  'keys:retire': (input) => ({ action: 'key.retired', details: { keyId: text(input.keyId) } }),
  'keys:copyPublic': (input, output) =>
    output.isCopied === true ? { action: 'key.publicCopied', details: { keyId: text(input.keyId) } } : null,
  'unlock:setPassphrase': (input) =>
    input.current === undefined ? null : { action: 'unlock.passphraseSet', details: {} },
  'unlock:removePassphrase': () => ({ action: 'unlock.passphraseRemoved', details: {} }),
  'unlock:renewRecoveryCode': () => ({ action: 'unlock.recoveryCodeMade', details: {} }),
  'unlock:recover': () => ({ action: 'unlock.recovered', details: {} }),
  'lock:unlock': () => ({ action: 'desk.unlocked', details: {} }),
  'settings:set': (input) => ({
    action: 'settings.changed',
    details: { names: Object.keys(input).sort().join(' ') },
  }),
  'workspaces:add': () => ({ action: 'workspace.added', details: {} }),
  'workspaces:update': (input) => ({
    action: 'workspace.changed',
    details: {
      names: Object.keys(input)
        .filter((name) => name !== 'workspaceId')
        .sort()
        .join(' '),
    },
  }),
  'workspaces:acceptClock': (input) => ({
    action: 'workspace.clockAccepted',
    details: { offsetSeconds: typeof input.offsetSeconds === 'number' ? input.offsetSeconds : null },
  }),
  'workspaces:remove': () => ({ action: 'workspace.removed', details: {} }),
};

const asFacts = (value: unknown): Facts =>
  typeof value === 'object' && value !== null ? (value as Facts) : {};

/** The audit entry for a call of main; null for calls that are not recorded. It never holds names or addresses. */
export function describeForAudit(name: string, input: unknown, output: unknown): AuditRecord | null {
  const facts = asFacts(input);
  const result = asFacts(output);
  const record = described[name as MainProcedureName]?.(facts, result) ?? null;
  if (record === null) return null;
  const workspaceId = text(facts.workspaceId) ?? (name.startsWith('workspaces:') ? text(result.id) : null);
  return { ...record, workspaceId };
}
