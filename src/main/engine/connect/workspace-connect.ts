import type { EventPayload } from '../../../contract/events.ts';
import { type ConnectRecords, createAddMember } from './add-member.ts';
import { createConnections } from './connections.ts';
import { createIntegration, type IntegrationPorts } from './integration.ts';
import { createMembers } from './members.ts';
import { createNewCarrier } from './new-carrier.ts';
import { createPatientAccess } from './patient-access.ts';
import { createRunningElsewhere } from './running-elsewhere.ts';
import { createValidations } from './validations.ts';

export interface WorkspaceConnectPorts extends IntegrationPorts {
  readonly records: ConnectRecords;
  readonly openUrl: (url: string) => Promise<boolean>;
  readonly emit: (what: EventPayload<'connect:changed'>['what'], policyHolderId?: number | null) => void;
}

/** Everything of Connect in one workspace; `stop` ends all watching, which a later instance continues. */
export function createWorkspaceConnect(ports: WorkspaceConnectPorts) {
  const { file, clock } = ports;
  const integration = createIntegration(ports);
  const connections = createConnections({ integration, file, clock });
  const adding = createAddMember({ integration, connections, file, clock, records: ports.records });
  const members = createMembers({ integration, file, addAgain: adding.addAgain });
  const validations = createValidations({
    integration,
    members,
    connections,
    file,
    clock,
    onChange: (policyHolderId) => ports.emit('validation', policyHolderId),
    onEnded: (policyHolderId) => ports.emit('connections', policyHolderId),
  });
  const patientAccess = createPatientAccess({
    integration,
    members,
    connections,
    file,
    clock,
    openUrl: ports.openUrl,
    onChange: (policyHolderId) => ports.emit('patientAccess', policyHolderId),
  });
  return {
    file,
    integration,
    adding,
    members,
    connections,
    findNewCarrier: createNewCarrier({ integration, members, connections, file }),
    validations,
    runningElsewhere: createRunningElsewhere({
      connections,
      validations,
      onRead: (policyHolderId) => ports.emit('connections', policyHolderId),
    }),
    patientAccess,
    async stop(): Promise<void> {
      await validations.stop();
      await patientAccess.stop();
      await file.close();
    },
  };
}

export type WorkspaceConnect = ReturnType<typeof createWorkspaceConnect>;
