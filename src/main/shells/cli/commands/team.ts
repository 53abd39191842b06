import { teamRoles } from '../../../../contract/team.ts';
import type { Output } from '../output.ts';
import type { Command } from '../parse-command.ts';
import { inWorkspace } from '../run-in-session.ts';
import type { Session } from '../session.ts';
import { UsageError } from '../usage.ts';

interface Work {
  readonly session: Session;
  readonly workspaceId: string;
  readonly command: Command;
  readonly output: Output;
}

function require(
  command: Command,
  name: 'server' | 'setup-code' | 'invitation' | 'team' | 'recovery-key',
): string {
  const value = command.options[name];
  if (value === undefined) throw new UsageError(`--${name} is required; best from --input`);
  return value;
}

function readRole({ options }: Command): (typeof teamRoles)[number] {
  const role = teamRoles.find((one) => one === options.role);
  if (role === undefined) throw new UsageError(`--role is one of ${teamRoles.join(', ')}`);
  return role;
}

const wordOf = ({ words }: Command): string => words[2] as string;

const verbs: Readonly<Record<string, (work: Work) => Promise<void>>> = {
  async status({ session, workspaceId, output }) {
    await output.json(await session.call('team:getStatus', { workspaceId }));
  },
  async sync({ session, workspaceId, output }) {
    await output.json(await session.call('team:sync', { workspaceId }));
  },
  async create({ session, workspaceId, command, output }) {
    const wanted = { server: require(command, 'server'), setupCode: require(command, 'setup-code') };
    await output.json(await session.call('team:create', { workspaceId, ...wanted }));
    output.info(
      'Print recovery key, server, and team, and keep them where only admins of the team get them. The key is shown only now.',
    );
  },
  async recover({ session, workspaceId, command, output }) {
    const wanted = {
      server: require(command, 'server'),
      team: require(command, 'team'),
      recoveryKey: require(command, 'recovery-key'),
    };
    await output.json(await session.call('team:recover', { workspaceId, ...wanted }));
  },
  async invite({ session, workspaceId, output }) {
    await output.json(await session.call('team:invite', { workspaceId }));
  },
  async join({ session, workspaceId, command, output }) {
    const invitation = require(command, 'invitation');
    await output.json(await session.call('team:join', { workspaceId, invitation }));
    output.info('Tell the code to the admin who invited you, best by phone. The admin sees the same one.');
  },
  async joins({ session, workspaceId, output }) {
    for (const join of (await session.call('team:listJoins', { workspaceId })).joins) await output.json(join);
  },
  async approve({ session, workspaceId, command, output }) {
    const wanted = { computer: wordOf(command), role: readRole(command) };
    await output.json(await session.call('team:approve', { workspaceId, ...wanted }));
  },
  async members({ session, workspaceId, output }) {
    for (const member of (await session.call('team:listMembers', { workspaceId })).members)
      await output.json(member);
  },
  async role({ session, workspaceId, command, output }) {
    const wanted = { email: wordOf(command), role: readRole(command) };
    await output.json(await session.call('team:setRole', { workspaceId, ...wanted }));
  },
  async revoke({ session, workspaceId, command, output }) {
    const of = wordOf(command);
    const wanted = of.includes('@') ? { email: of } : { computer: of };
    await output.json(await session.call('team:revoke', { workspaceId, ...wanted }));
  },
  async leave({ session, workspaceId, output }) {
    await output.json(await session.call('team:leave', { workspaceId }));
  },
};

/** `claimdesk team …`: one set of reviews for several people, over a team server. */
export const runTeam = (command: Command, output: Output): Promise<number> =>
  inWorkspace(command, true, async (session, workspaceId) => {
    await verbs[command.words[1] as string]?.({ session, workspaceId, command, output });
    return undefined;
  });
