import { z } from 'zod';

export const workspaceColors = ['blue', 'teal', 'grape', 'orange', 'gray'] as const;

/**
 * Headers that cannot hold a token: hop by hop (RFC 9110 §7.6.1), set by the network library, or never sent by
 * Claimdesk (no cookie, no Origin). Compared in lower case.
 */
const takenHeaders: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'expect', 'via'],
  ...['host', 'content-length', 'content-type', 'content-encoding', 'date', 'user-agent', 'accept'],
  ...['cookie', 'cookie2', 'set-cookie', 'set-cookie2', 'origin', 'referer', 'dnt'],
]);
const takenPrefixes = ['proxy-', 'sec-', 'accept-', 'access-control-', 'if-', ':'];

/**
 * The name of the header that holds a token: a token by RFC 9110's grammar, with no other use. It is part of every
 * signed request, so a wrong name would break or leak all of them.
 */
export const tokenHeaderSchema = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9-]{0,59}$/)
  .refine((name) => {
    const lower = name.toLowerCase();
    return !takenHeaders.has(lower) && !takenPrefixes.some((prefix) => lower.startsWith(prefix));
  });
/** The word before the token in its header. */
export const tokenSchemeSchema = z.string().regex(/^[A-Za-z][A-Za-z0-9._-]{0,39}$/);

/** The origin of a team's server, https or http on this computer, and the team's ID: 16 bytes as base64url. */
export const workspaceTeamSchema = z.object({
  server: z.url({ protocol: /^https?$/ }),
  id: z.string().regex(/^[A-Za-z0-9_-]{22}$/),
});
export type WorkspaceTeam = z.infer<typeof workspaceTeamSchema>;

/**
 * A connection to one service under one account email. Holds no secret and no record. `header` and `scheme` are the
 * header of the token and the word before it: `Authorization: SSH-JWT …` unless the service expects another form
 * (docs/service.md, "SSH-JWT").
 */
export const workspaceSchema = z.object({
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/),
  name: z.string().min(1).max(80),
  baseUrl: z.string(),
  email: z.string(),
  header: tokenHeaderSchema,
  scheme: z.string(),
  color: z.enum(workspaceColors),
  isSample: z.boolean(),
  keyId: z.string().nullable(),
  createdAt: z.string(),
  /** The offset of the service's clock that the user accepted, beyond the ten minutes always accepted. */
  acceptedClock: z.object({ offsetSeconds: z.int(), until: z.string() }).optional(),
  /** Records a page that the service returns, where it refused larger pages, and when that was last seen. */
  pageSize: z.object({ perPage: z.int().positive(), learnedAt: z.string() }).optional(),
  /** The team that shares the reviews of this workspace. */
  team: workspaceTeamSchema.optional(),
  /** It was added to join a team, and has not asked to join yet. */
  awaitsTeam: z.literal(true).optional(),
});
export type Workspace = z.infer<typeof workspaceSchema>;

/** The typed values of a workspace: its name, its color, and the form of its token's header. */
export const typedWorkspaceSchema = workspaceSchema
  .pick({ name: true, color: true, header: true })
  .extend({ scheme: tokenSchemeSchema })
  .partial();
