import { z } from 'zod';
import { done, inEngine, workspaceRef } from './procedure-parts.ts';
import { errorReportSchema } from './result.ts';

export const teamRoles = ['admin', 'reviewer', 'reader'] as const;

/** `waiting`: for an admin's approval. `offline`: the server does not answer. `stopped`: `problem` has to be solved. */
export const teamStates = ['connecting', 'waiting', 'live', 'offline', 'stopped'] as const;

/** How a workspace stands with its team; null: it has none. */
export const teamStatusSchema = z
  .object({
    server: z.string(),
    state: z.enum(teamStates),
    /** Events of this computer that the team does not have yet. */
    unsent: z.int(),
    /** Entries of the team that were refused since the start, because they are not what a member may write. */
    refused: z.int(),
    role: z.enum(teamRoles).nullable(),
    /** While waiting: what this person and the admin compare. */
    code: z.string().nullable(),
    problem: errorReportSchema.nullable(),
  })
  .nullable();
export type TeamStatus = z.infer<typeof teamStatusSchema>;

const server = z.string().max(300);
const computer = z.string().max(60);

const teamJoinSchema = z.object({
  computer: z.string(),
  email: z.string(),
  fingerprint: z.string(),
  at: z.string(),
  /** What the admin and the person compare before the approval. */
  code: z.string(),
});

const teamMemberSchema = z.object({
  email: z.string(),
  role: z.enum(teamRoles),
  isYou: z.boolean(),
  computers: z.array(
    z.object({
      computer: z.string(),
      /** Of the SSH key that certifies it; null: its certificate is not valid, and what it writes is refused. */
      fingerprint: z.string().nullable(),
      isThis: z.boolean(),
    }),
  ),
});

/** A team on one set of reviews. */
export const teamProcedures = {
  'team:getStatus': inEngine(workspaceRef, teamStatusSchema),
  /** Makes a team on a server; `recoveryKey` is to be printed with server and team, and is not stored. */
  'team:create': inEngine(
    workspaceRef.extend({ server, setupCode: z.string().trim().min(1).max(60) }),
    z.object({ recoveryKey: z.string(), team: z.string() }),
  ),
  'team:invite': inEngine(workspaceRef, z.object({ invitation: z.string(), expiresAt: z.string() })),
  /** Asks to join; `code` is what this person and the admin compare. */
  'team:join': inEngine(
    workspaceRef.extend({ invitation: z.string().trim().max(2_000) }),
    z.object({ code: z.string() }),
  ),
  /** Admits this computer with the printed recovery key, for a team whose admins lost their computers. */
  'team:recover': inEngine(
    workspaceRef.extend({
      server,
      team: z.string().trim().length(22),
      recoveryKey: z.string().trim().max(100),
    }),
    teamStatusSchema,
  ),
  'team:listJoins': inEngine(workspaceRef, z.object({ joins: z.array(teamJoinSchema) })),
  'team:approve': inEngine(workspaceRef.extend({ computer, role: z.enum(teamRoles) }), done),
  'team:listMembers': inEngine(workspaceRef, z.object({ members: z.array(teamMemberSchema) })),
  'team:setRole': inEngine(workspaceRef.extend({ email: z.string(), role: z.enum(teamRoles) }), done),
  /** Ends the membership of a computer, or of a person, and renews the team key. */
  'team:revoke': inEngine(
    workspaceRef.extend({ computer: computer.optional(), email: z.string().optional() }),
    done,
  ),
  /** Leaves the team; reviews stay on this computer. */
  'team:leave': inEngine(workspaceRef, done),
  /** Sends and reads what is new, once; for the command line. */
  'team:sync': inEngine(workspaceRef, teamStatusSchema),
} as const;
