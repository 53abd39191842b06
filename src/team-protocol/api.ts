import { z } from 'zod';
import { certificateSchema } from './certificate.ts';
import { bytesSchema, digestSchema, entryIdSchema, momentSchema, tagLength } from './entry.ts';
import { leasesSchema } from './leases.ts';
import type { memberCodes } from './membership.ts';

/**
 * The calls of a team server, under `/v1/teams`. Each has a token in `Authorization: Bearer`: a JWT (EdDSA) by the
 * computer's signing key with `sub` (the computer's ID), `aud` (the server's origin), `iat` and `exp` at most five
 * minutes later. For `POST /v1/teams` and a new join, whose computer is not a member yet, that is the signing key of
 * the certificate in the request.
 *
 * | call | what it does |
 * |---|---|
 * | `POST /v1/teams` | creates a team: `newTeamSchema` → `postedSchema` |
 * | `GET …/:team/head?after=n&parts=p&leases=v&wait=s` | `headSchema`; with `wait`, once the number is not `after`, the count of parts not `parts` or the version of leases not `leases`, at most that many seconds later |
 * | `GET …/:team/live?after=n` | an event stream (below) |
 * | `POST …/:team/entries?read=n` | frames (`frame.ts`) → `postedSchema`; `read`: the last number that the caller has read |
 * | `GET …/:team/entries?after=n&count=c&bytes=b&kind=k` | numbered frames, empty at the end. `kind=membership`, `removal` or `checkpoint`: only these |
 * | `POST …/:team/entries/tagged?after=n` | `taggedSchema` → numbered frames of the entries after a number that have one of the tags, or are about more claims than a header has tags; empty at the end |
 * | `PUT …/:team/entries/:id/parts/:part` | stores a sealed part that was not removed, once from each admin or reviewer: from its author, or from others where the server lost it |
 * | `PUT …/:team/entries/:id/parts/:part` from `firstDocumentPart` on | stores a part of a document (`document-parts.ts`) that an event of the caller attached, while the team's documents have room |
 * | `GET …/:team/entries/:id/parts/:part?version=n` | the bytes of a part as one computer sent it; `part.notThere` after the last. The reader uses the one that the header commits to |
 * | `GET …/:team/parts?after=p` | `partsSchema`: the parts that were sent after their entries |
 * | `POST …/:team/invitations` | `newInvitationSchema` → `invitationSchema`; by an admin |
 * | `POST …/:team/joins` | `newJoinSchema` → `joinedSchema`; by the holder of an invitation, and again until it was answered, then with the nonce |
 * | `GET …/:team/joins` | `joinsSchema`; by an admin |
 * | `POST …/:team/joins/answers` | `joinAnswerSchema` → `{}`; by the computer that made the invitation, once for each |
 * | `GET …/:team/computers` | `computersSchema`; by an admin |
 * | `POST …/:team/leases` | `newLeasesSchema` → `takenSchema` (`leases.ts`); by an admin or a reviewer |
 *
 * The event stream sends `event: entries` with numbered frames as base64url to a listener that has all earlier entries,
 * else `event: head` with `headSchema`; and `event: leases` with `leasesSchema`, also at the start where there are any. A comment line every 15 seconds shows that the stream is still open.
 */
export const apiPath = '/v1/teams';

/**
 * The largest number of entries in a request or a page. A page also ends with the entry that reaches `maxPageBytes`.
 */
export const maxPageEntries = 500;
export const maxPageBytes = 4_000_000;
/** The largest total length in bytes of parts that are sent with their entry; larger ones are sent separately. */
export const maxInlineBytes = 256_000;
/** The largest length of a request of entries in bytes: one largest head with its header, or many small entries. */
export const maxPostBytes = 17_000_000;
/** The largest number of tags whose entries are requested at once. */
export const maxWantedTags = 1_000;
/** How long `head` waits at most, in seconds. */
export const maxWaitSeconds = 25;
export const invitationMs = 72 * 3_600_000;
/** How far an entry's time may be ahead of the server's. */
export const maxAheadMs = 120_000;
/** How long a token is valid at most, in seconds. */
export const maxTokenSeconds = 300;

/** Every error of a team server: its status, and a sentence. */
export const apiErrors = {
  'request.invalid': [400, 'The request is not valid.'],
  'request.notFound': [404, 'There is no such call.'],
  'request.tooLarge': [413, 'The request is too large.'],
  'request.lengthMissing': [411, 'The request does not say how long it is.'],
  'request.tooMany': [429, 'There were too many requests.'],
  'quota.reached': [429, 'The computer has sent as much as it may on one day.'],
  'quota.documents': [507, 'The documents of the team take as much as they may.'],
  'server.busy': [503, 'The server is busy.'],
  'server.failed': [500, 'The server failed.'],
  'store.unavailable': [503, 'The database does not answer.'],
  'store.full': [507, 'The disk of the server is full.'],
  'token.missing': [401, 'The request has no token.'],
  'token.invalid': [401, 'The token is not valid.'],
  'token.expired': [401, 'The token is not valid at this time.'],
  'setupCode.invalid': [403, 'The set-up code is wrong, expired, or used.'],
  'invitation.invalid': [403, 'The invitation is wrong, expired, or used.'],
  'role.notAllowed': [403, 'The role does not allow this.'],
  'entry.invalid': [422, 'The entry cannot be read.'],
  'entry.otherTeam': [422, 'The entry is of another team.'],
  'entry.signatureInvalid': [422, 'The signature of the entry is wrong.'],
  'entry.headInvalid': [422, 'The head of the entry is not the one that its header is about.'],
  'entry.tooLarge': [422, 'The parts of the entry have to be sent by themselves.'],
  'entry.ahead': [422, 'The time of the entry is ahead of the server’s.'],
  'entry.behind': [422, 'The time of the entry is too long before the server’s.'],
  'entry.differs': [409, 'There is another entry with this ID.'],
  'entry.notInPlace': [
    409,
    'The author of the entry had read another log, or not every change of the members.',
  ],
  'entry.removed': [410, 'The content of this entry was removed.'],
  'removal.notSeen': [409, 'Something was removed that the author of the entry has not read.'],
  'generation.old': [409, 'There is a newer team key.'],
  'generation.unknown': [422, 'There is no such team key.'],
  'part.notThere': [404, 'This part has not been sent.'],
  'part.differs': [409, 'This part was sent with other content.'],
  'part.invalid': [422, 'The part is not sealed content.'],
  'member.unknown': [403, 'The computer is not a member of the team.'],
  'member.waiting': [403, 'The computer can do nothing yet: an admin can still refuse its admission.'],
  'member.notAdmin': [403, 'Only an admin can do this.'],
  'member.lastAdmin': [409, 'The team would have no admin.'],
  'member.known': [409, 'The computer is or was a member of the team.'],
  'member.notThere': [409, 'There is no such member.'],
  'member.otherRole': [409, 'The person has another role in the team.'],
  'team.oldLog': [410, 'The team was made with an earlier form of entries.'],
  'team.exists': [409, 'The team is there already.'],
  'team.full': [409, 'The team has as many computers as it can have.'],
  'certificate.invalid': [422, 'The certificate is not valid for this team and computer.'],
  'grants.incomplete': [409, 'The new team key is not sealed for each computer of the team.'],
  'generation.wrong': [409, 'The team key is not of the generation that is due.'],
} as const satisfies Readonly<
  Record<string, readonly [number, string]> & Record<(typeof memberCodes)[number], readonly [number, string]>
>;
export type ApiErrorCode = keyof typeof apiErrors;

const apiErrorSchema = z.strictObject({
  code: z.enum(Object.keys(apiErrors) as [ApiErrorCode, ...ApiErrorCode[]]),
  message: z.string().max(200),
  /** The server's time, with `entry.ahead` and `token.expired`. */
  now: momentSchema.optional(),
});
export type ApiErrorBody = z.infer<typeof apiErrorSchema>;
export const errorReplySchema = z.strictObject({ error: apiErrorSchema });

const numberSchema = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

export const headSchema = z.strictObject({
  number: numberSchema,
  hash: digestSchema,
  /** How many parts were sent after their entries: the highest `after` in `partsSchema`. */
  parts: numberSchema,
  now: momentSchema,
  /** Who has which claim open, where the request has another version of it. */
  leases: leasesSchema.optional(),
});
export type TeamHeadReply = z.infer<typeof headSchema>;

/** The results of a request's entries, in their order. An entry that was there already keeps its number. */
export const postedSchema = z.strictObject({
  results: z
    .array(
      z.union([
        z.strictObject({ number: numberSchema, hash: digestSchema }),
        z.strictObject({ error: apiErrorSchema }),
      ]),
    )
    .max(maxPageEntries),
  head: headSchema,
});
export type Posted = z.infer<typeof postedSchema>;

/** The tags of claims (`claim-tags.ts`) whose entries are requested. */
export const taggedSchema = z.strictObject({
  tags: z.array(z.string().regex(new RegExp(`^[\\w-]{${tagLength}}$`))).max(maxWantedTags),
});

export const newTeamSchema = z.strictObject({
  setupCode: z.string().max(60),
  /** The frame of the membership `create`, as base64url. */
  entry: z.string().max(40_000),
});

export const partsSchema = z.strictObject({
  parts: z
    .array(z.strictObject({ after: numberSchema, id: entryIdSchema, part: numberSchema }))
    .max(maxPageEntries),
});
export type PartsReply = z.infer<typeof partsSchema>;

/** An invitation is 16 random bytes. The server gets the digest of its token (`invitation-token.ts`). */
export const newInvitationSchema = z.strictObject({ digest: digestSchema });
export const invitationSchema = z.strictObject({ expiresAt: momentSchema });

export const newJoinSchema = z.strictObject({
  /** The token of the invitation; in the list for admins its digest. */
  invitation: digestSchema,
  certificate: certificateSchema,
  /** HMAC-SHA-256 by the invitation's bytes over the certificate's body, for the admin who made the invitation. */
  proof: bytesSchema(32),
  /** A commitment to the nonce, which is null until the request was answered (`join-code.ts`). */
  commitment: digestSchema,
  nonce: bytesSchema(32).nullable(),
});
export type NewJoin = z.infer<typeof newJoinSchema>;

/** The nonce of the inviting computer; null: it has not answered yet. */
const answerSchema = bytesSchema(32);
export const joinedSchema = z.strictObject({ answer: answerSchema.nullable() });
export const joinAnswerSchema = z.strictObject({ invitation: digestSchema, answer: answerSchema });

/** Computers that wait to be admitted; `invitedBy` is the computer that made the invitation. */
export const joinsSchema = z.strictObject({
  joins: z
    .array(
      newJoinSchema.extend({ invitedBy: digestSchema, at: momentSchema, answer: answerSchema.nullable() }),
    )
    .max(maxPageEntries),
});
export type JoinsReply = z.infer<typeof joinsSchema>;

export const computersSchema = z.strictObject({
  computers: z.array(z.strictObject({ computer: digestSchema, seenAt: momentSchema })).max(1_000),
});
export type ComputersReply = z.infer<typeof computersSchema>;
