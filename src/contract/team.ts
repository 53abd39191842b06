import { z } from 'zod';
import {
  maxTeamChanges,
  teamChangeSchema,
  teamHistorySchema,
  teamSettingsSchema,
} from '../rules/review/team-settings.ts';
import { reasonSchema } from './export.ts';
import { done, inEngine, withoutRecords, workspaceRef } from './procedure-parts.ts';
import { errorReportSchema } from './result.ts';
import { removalCountsSchema, type TeamRemoval, teamRemovalSchema } from './store.ts';

const teamRoles = ['admin', 'reviewer', 'reader'] as const;

/** `waiting`: for an admin's approval. `offline`: the server does not answer. `stopped`: `problem` has to be solved. */
const teamStates = ['connecting', 'waiting', 'live', 'offline', 'stopped'] as const;

/** The state of a workspace's team; null: it has none. */
const teamStatusSchema = z
  .object({
    server: z.string(),
    state: z.enum(teamStates),
    /** Events of this computer that are still to be sent. */
    unsent: z.int(),
    /** Documents that were attached on this computer and are still to be sent; `isFull`: the server has no room for them. */
    documents: z.object({ unsent: z.int(), isFull: z.boolean() }),
    /** Acts of this computer that the team does not get, because its role lets it only read; they can be undone here. */
    held: z.int(),
    /** Entries of the team that were refused since the start, because they are not what a member may write. */
    refused: z.int(),
    /** The members who had signed what was refused. */
    refusedOf: z.array(z.string()),
    /** Admins only: whose computer read another entry of this number, without a `wentBack`; null: none. */
    otherLog: z.object({ email: z.string(), number: z.int() }).nullable(),
    /** Admins only: when the server last returned an earlier log, and who reported it; null: never. */
    wentBack: z.object({ email: z.string(), at: z.string(), from: z.int(), to: z.int() }).nullable(),
    /** The author of an act on many claims whose parts are still arriving, after which it counts; null: none. */
    arriving: z.object({ email: z.string(), claims: z.int() }).nullable(),
    /**
     * After joining: `reading`: reviews are still to come, so that lists and sums lack them, and none is written;
     * `checking`: the log is still to be compared with what was read of it. Null: all is here, and was compared.
     */
    earlier: z.enum(['reading', 'checking']).nullable(),
    role: z.enum(teamRoles).nullable(),
    /** Who was an admin since the recovery key was made and is none, so that it has to be replaced. */
    formerAdmins: z.array(z.string()),
    /** Whether the recovery key can't open what is written now. */
    isRecoveryUnsealed: z.boolean(),
    /** Computers that the recovery key admitted, which can act from `from` on unless an admin removes them before. */
    recovered: z.array(z.object({ computer: z.string(), email: z.string(), from: z.string() })),
    /** While waiting: what this person and the admin compare; null until the admin's computer has answered. */
    code: z.string().nullable(),
    problem: errorReportSchema.nullable(),
    /**
     * How this computer learns of new entries: by a stream that stays open or, where a proxy delays that, by requests
     * that wait.
     */
    updatesBy: z.enum(['stream', 'requests']),
  })
  .nullable();
export type TeamStatus = z.infer<typeof teamStatusSchema>;

/** The longest invitation to a team, in characters. */
export const maxInvitationLength = 5_000;
const server = z.string().max(300);
const computer = z.string().max(60);
const invitation = z.string().trim().max(maxInvitationLength);

const teamJoinSchema = z.object({
  computer: z.string(),
  email: z.string(),
  fingerprint: z.string(),
  at: z.string(),
  /** The code that the admin and the new user compare; null until the new user's computer has answered. */
  code: z.string().nullable(),
  /** The role that the invitation names, or the one that the person has in the team already. */
  role: z.enum(teamRoles),
  /** The SSH keys with which the same person is in the team, where they are others. */
  otherKeys: z.array(z.string()),
});

const teamMemberSchema = z.object({
  email: z.string(),
  role: z.enum(teamRoles),
  isYou: z.boolean(),
  computers: z.array(
    z.object({
      computer: z.string(),
      /** The fingerprint of the SSH key that certifies it; null: its certificate is not valid, and what it writes is refused. */
      fingerprint: z.string().nullable(),
      isThis: z.boolean(),
    }),
  ),
});

/** A computer of the team, as it describes itself. The amounts that it shows depend on its records. */
const teamComputerSchema = z.object({
  computer: z.string(),
  email: z.string(),
  isThis: z.boolean(),
  /** How many employers its records have; null: not sent yet. */
  employers: z.int().nullable(),
  /** Whether these are the same as those of this computer. */
  hasSameEmployers: z.boolean(),
  /** The first entry that its audit log no longer had after the team witnessed it; null: it was not cut back. */
  auditMissingFrom: z.int().nullable(),
  /** Its version of Claimdesk; null: not sent yet, as by readers. */
  version: z.string().nullable(),
});
export type TeamComputer = z.infer<typeof teamComputerSchema>;

/** The problems that an entry of a team's log can have. */
const teamFindings = [
  /** Its number or hash does not follow from the entry before. */
  'order',
  'otherTeam',
  /** Its author was no member then, could only read, or did not sign it. */
  'author',
  'role',
  'signature',
  /** A change of the members that the rules do not allow. */
  'membership',
  /** Its author had read another log, or not every change of the members before it. */
  'place',
  /** The SSH signature of a certificate, or a line of a file with a certificate, is wrong. */
  'certificate',
  'content',
  /** A removal that leaves of an event what its author did not sign, or removes one that it does not explain. */
  'removal',
  /** The log does not end with the entry that its first line names. */
  'end',
  /** This computer has read another entry with this number. */
  'known',
] as const;

/** Whether the log of a team is whole: nothing in it is changed, missing, or by someone who was no member. */
const teamVerdictSchema = z.object({
  isWhole: z.boolean(),
  team: z.string(),
  /** The number of the newest entry, and the chain's hash there. */
  entries: z.int(),
  hash: z.string(),
  /** Events whose content, or some of it, could not be checked, because the file leaves it out or it has not come. */
  leftOut: z.int(),
  refused: z.int(),
  /** Removals for the team: who removed the content of how many entries, and when. */
  removals: z.array(z.object({ number: z.int(), at: z.string(), by: z.string(), entries: z.int() })),
  /** The first 100 refused entries; 0 is the list of certificates. */
  findings: z.array(z.object({ number: z.int(), finding: z.enum(teamFindings) })),
  /**
   * The first 100 entries whose author had read another entry `seen` than this log has: the server was restored from a
   * backup since, or showed them another log.
   */
  otherLogs: z.array(z.object({ number: z.int(), by: z.string(), seen: z.int() })),
  /** Every computer that was ever admitted; `role` is null where its membership ended, by the entry `until`. */
  computers: z.array(
    z.object({
      computer: z.string(),
      email: z.string(),
      role: z.enum(teamRoles).nullable(),
      /** The fingerprint of the SSH key that certifies it; null: its certificate is not valid. */
      fingerprint: z.string().nullable(),
      from: z.int(),
      until: z.int().nullable(),
    }),
  ),
});
export type TeamVerdict = z.infer<typeof teamVerdictSchema>;

/** Returns the text that the admin types again before something is removed for the team. */
export const wordOfRemoval = (rule: TeamRemoval): string =>
  rule.kind === 'member'
    ? String(rule.memberId)
    : rule.kind === 'employer'
      ? String(rule.employerId)
      : rule.kind === 'claimsBefore'
        ? rule.date
        : 'everything';

/** A removal for the team. `entries`: how many entries of the log lost their content. */
const listedRemovalSchema = z.object({
  removal: z.string(),
  rule: teamRemovalSchema,
  reason: z.string(),
  at: z.string(),
  by: z.string(),
  entries: z.int(),
  computers: z.array(
    z.object({
      computer: z.string(),
      email: z.string(),
      isThis: z.boolean(),
      /** Whether it has removed the records that were here, and acknowledged it. */
      isDone: z.boolean(),
      /** When the server saw it last, for admins; null: unknown. */
      seenAt: z.string().nullable(),
    }),
  ),
});

/** Teams, whose members share one set of reviews. */
export const teamProcedures = {
  'team:getStatus': inEngine(workspaceRef, teamStatusSchema, withoutRecords),
  /** Makes a team on a server; `recoveryKey` must be printed with server and team, and is not stored. */
  'team:create': inEngine(
    workspaceRef.extend({ server, setupCode: z.string().trim().min(1).max(60) }),
    z.object({ recoveryKey: z.string(), team: z.string() }),
    withoutRecords,
  ),
  /** Invites one computer of one person. A team of one must enter `recoveryKey`, to notice a wrong copy. */
  'team:invite': inEngine(
    workspaceRef.extend({
      email: z.string().trim().min(1).max(320),
      role: z.enum(teamRoles),
      recoveryKey: z.string().trim().max(100).optional(),
    }),
    z.object({ invitation: z.string(), expiresAt: z.string() }),
    withoutRecords,
  ),
  /** Reads an invitation's server and claims service; the user confirms the service on adding a workspace. */
  'team:readInvitation': inEngine(
    z.object({ invitation }),
    z.object({
      server: z.string(),
      service: z.object({
        address: z.string(),
        name: z.string(),
        header: z.string(),
        scheme: z.string(),
      }),
    }),
    withoutRecords,
  ),
  /** Asks to join; `code` is what this person and the admin compare. */
  'team:join': inEngine(workspaceRef.extend({ invitation }), done, withoutRecords),
  /** Admits this computer with the printed recovery key, for a team whose admins lost their computers. */
  'team:recover': inEngine(
    workspaceRef.extend({
      server,
      team: z.string().trim().length(22),
      recoveryKey: z.string().trim().max(100),
    }),
    teamStatusSchema,
    withoutRecords,
  ),
  /** Makes a recovery key to be printed with server and team. Nothing is stored or changed. */
  'team:makeRecoveryKey': inEngine(
    workspaceRef,
    z.object({ recoveryKey: z.string(), server: z.string(), team: z.string() }),
    withoutRecords,
  ),
  /**
   * Replaces the team's recovery key by one that was typed from paper, by an admin. `shown`: what the window showed, which
   * it has to be. `isNew`: false where it was the team's already.
   */
  'team:replaceRecoveryKey': inEngine(
    workspaceRef.extend({
      recoveryKey: z.string().trim().max(100),
      shown: z.string().max(100).optional(),
    }),
    z.object({ isNew: z.boolean() }),
    withoutRecords,
  ),
  /**
   * Confirms the log of a server that went back and contradicts what this computer has read; with the recovery key where
   * the team has no other admin's computer. `isFollowed`: it is used from now on.
   */
  'team:followLog': inEngine(
    workspaceRef.extend({ recoveryKey: z.string().trim().max(100).optional() }),
    z.object({ isFollowed: z.boolean() }),
    withoutRecords,
  ),
  /** Shows `otherLog` no longer on this computer, for admins. */
  'team:dismissLogs': inEngine(workspaceRef, done, withoutRecords),
  'team:listJoins': inEngine(workspaceRef, z.object({ joins: z.array(teamJoinSchema) }), withoutRecords),
  /** `acceptsOtherKey`: the answer to the question about `otherKeys`. */
  'team:approve': inEngine(
    workspaceRef.extend({ computer, acceptsOtherKey: z.boolean().optional() }),
    done,
    withoutRecords,
  ),
  'team:listMembers': inEngine(
    workspaceRef,
    z.object({ members: z.array(teamMemberSchema) }),
    withoutRecords,
  ),
  'team:setRole': inEngine(
    workspaceRef.extend({ email: z.string(), role: z.enum(teamRoles) }),
    done,
    withoutRecords,
  ),
  /** Ends the membership of a computer, or of all computers of a member, and renews the team key. */
  'team:revoke': inEngine(
    workspaceRef.extend({ computer: computer.optional(), email: z.string().optional() }),
    done,
    withoutRecords,
  ),
  /**
   * The settings of the team, null until its first change; the newest change of each; their history, newest first; and
   * what its computers sent about themselves.
   */
  'team:getSettings': inEngine(
    workspaceRef,
    z.object({
      settings: teamSettingsSchema.nullable(),
      current: z.array(teamHistorySchema),
      /** The first 500. */
      history: z.array(teamHistorySchema),
      computers: z.array(teamComputerSchema),
    }),
    withoutRecords,
  ),
  'team:changeSettings': inEngine(
    workspaceRef.extend({ changes: z.array(teamChangeSchema).min(1).max(maxTeamChanges) }),
    done,
    withoutRecords,
  ),
  /** Undoes here what a reader's computer holds (`held`). `left`: acts that others depend on, as a step of a run. */
  'team:undoHeld': inEngine(workspaceRef, z.object({ undone: z.int(), left: z.int() }), withoutRecords),
  /** Leaves the team; reviews stay on this computer. */
  'team:leave': inEngine(workspaceRef, done, withoutRecords),
  /** Checks the log on the team's server from its first entry on. */
  'team:verify': inEngine(workspaceRef, teamVerdictSchema, withoutRecords),
  /** Writes that log to a file, with the content that this computer can read, and checks it. */
  'team:export': inEngine(
    workspaceRef.extend({ targetId: z.string(), reason: reasonSchema }),
    z.object({ verdict: teamVerdictSchema, bytes: z.int(), sha256: z.string() }),
    withoutRecords,
  ),
  /** Counts what a removal would remove from this computer. */
  'team:planRemoval': inEngine(
    workspaceRef.extend({ rule: teamRemovalSchema }),
    removalCountsSchema,
    withoutRecords,
  ),
  /** Permanently removes from every computer of the team and from its server; by an admin. `typed`: `wordOfRemoval`. */
  'team:remove': inEngine(
    workspaceRef.extend({ rule: teamRemovalSchema, reason: reasonSchema, typed: z.string().max(40) }),
    done,
    withoutRecords,
  ),
  'team:listRemovals': inEngine(
    workspaceRef,
    z.object({ removals: z.array(listedRemovalSchema) }),
    withoutRecords,
  ),
  /** Sends and reads what is new, once; for the command line. While waiting, it takes the next step of joining. */
  'team:sync': inEngine(workspaceRef, teamStatusSchema, withoutRecords),
} as const;
