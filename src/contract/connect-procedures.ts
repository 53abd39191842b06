import { z } from 'zod';
import { carrierConnectionSchema, patientAccessSchema, validationSchema } from './carrier-connections.ts';
import {
  bootstrapInputSchema,
  carrierFieldsSchema,
  connectEmployerSchema,
  connectMemberSchema,
  connectPayerSchema,
  consentsSchema,
  memberPlanSchema,
  payerFormSchema,
} from './connect-members.ts';
import { connectSettingsChangeSchema, connectSettingsSchema } from './connect-settings.ts';
import { done, inEngine, workspaceRef } from './procedure-parts.ts';

const email = z.string().trim().min(3).max(320);
/** `employerId` is wanted where a member has several employers; else the one bootstrapped last is meant. */
const memberRef = workspaceRef.extend({ email, employerId: z.int().optional() });
const payerRef = memberRef.extend({ payerId: z.int() });
const connectionRef = workspaceRef.extend({ policyHolderId: z.int() });
/** A validation is named by its connection: a newer submit takes the older one's place. */
const validationRef = workspaceRef.extend({
  policyHolderId: z.int(),
  /** Wanted where this computer does not know whose connection it is. */
  email: email.optional(),
});

/** Connect (docs/service.md, "Connect calls"): the integration, its members, their carrier logins. */
export const connectProcedures = {
  'connect:getSettings': inEngine(workspaceRef, connectSettingsSchema),
  'connect:saveSettings': inEngine(
    workspaceRef.extend(connectSettingsChangeSchema.shape),
    connectSettingsSchema,
  ),
  /** Proves the secret key by minting an access token, which stays inside. */
  'connect:mint': inEngine(
    workspaceRef,
    z.object({ mintedAt: z.string(), requestId: z.string().nullable() }),
  ),

  /** Employers to choose from: those of the records in the integration's tenant, and those Connect named; by name. */
  'connect:listEmployers': inEngine(workspaceRef, z.object({ employers: z.array(connectEmployerSchema) })),
  /** Says what `connect:bootstrap` would do with the same input, and refuses what it would refuse. Changes nothing. */
  'connect:planMember': inEngine(workspaceRef.extend(bootstrapInputSchema.shape), memberPlanSchema),
  /** Creates or finds a member. May be repeated. */
  'connect:bootstrap': inEngine(
    workspaceRef.extend(bootstrapInputSchema.shape),
    z.object({
      member: connectMemberSchema,
      payers: z.array(connectPayerSchema),
      connections: z.array(carrierConnectionSchema),
    }),
  ),
  /** Members that were bootstrapped from this computer under these settings, newest first. */
  'connect:listMembers': inEngine(workspaceRef, z.object({ members: z.array(connectMemberSchema) })),
  /** Forgets a member on this computer, with what is remembered of their connections. */
  'connect:forgetMember': inEngine(workspaceRef.extend({ email }), done),
  'connect:listPayers': inEngine(memberRef, z.object({ payers: z.array(connectPayerSchema) })),
  'connect:getPayer': inEngine(payerRef, payerFormSchema),
  /** Untrusted HTML: sanitised where it is shown. */
  'connect:getTerms': inEngine(memberRef, z.object({ untrustedHtml: z.string() })),

  /**
   * Submits a carrier login and begins to watch its validation. A refused field is `connect.invalid` with
   * `details['field.<name>']`.
   */
  'connect:submit': inEngine(
    payerRef.extend({ fields: carrierFieldsSchema, consents: consentsSchema }),
    validationSchema,
  ),
  /** The same for a connection that exists. */
  'connect:correct': inEngine(
    payerRef.extend({
      policyHolderId: z.int(),
      fields: carrierFieldsSchema,
      consents: consentsSchema,
    }),
    validationSchema,
  ),
  /**
   * Connections of a member, and those with these numbers of any member; without both, of all members. Those that
   * need attention first. As last read, unless `isFresh`: then each member is read again, and `failures` are those
   * that could not be.
   */
  'connect:listConnections': inEngine(
    workspaceRef.extend({
      email: email.optional(),
      policyHolderIds: z.array(z.int()).max(1000).optional(),
      isFresh: z.boolean().optional(),
    }),
    z.object({
      connections: z.array(carrierConnectionSchema),
      failures: z.array(z.object({ email: z.string(), code: z.string() })),
    }),
  ),
  /** A member's connections, read again by `GET /fix-credentials`; those that need attention first. */
  'connect:fix': inEngine(memberRef, z.object({ connections: z.array(carrierConnectionSchema) })),

  /** One connection, read again by `GET /policy_holder/{id}`. Needs no secret key. */
  'connect:readConnection': inEngine(connectionRef, carrierConnectionSchema),
  /**
   * A connection read again, with its whole username for the form that corrects it: kept nowhere, and null where
   * no secret key lets the service tell it.
   */
  'connect:beginCorrection': inEngine(
    connectionRef,
    z.object({ connection: carrierConnectionSchema, username: z.string().nullable() }),
  ),
  /**
   * Where the members of a `migrating` carrier go: the carrier of its group. The member gets a connection of their
   * own there, by `connect:submit`. @throws `connect.newCarrierUnknown`
   */
  'connect:findNewCarrier': inEngine(connectionRef, connectPayerSchema),

  /** Begins to watch, or continues. Needs no window: changes are events, `connect:changed`. */
  'connect:watch': inEngine(validationRef, validationSchema),
  /**
   * Watches what the service says is running although its login was not submitted here: the connection on the
   * screen, if one is given, and then a few of those that were running when they were last read. To be repeated
   * while a window is open; `watched` are those that are watched now.
   */
  'connect:watchRunning': inEngine(
    workspaceRef.extend({ onScreenId: z.int().nullable() }),
    z.object({ watched: z.array(z.int()) }),
  ),
  /** Watches again where the result is not known; otherwise the same as `connect:watch`. Sends no login. */
  'connect:checkAgain': inEngine(validationRef, validationSchema),
  /** null: none is known for this connection. */
  'connect:getValidation': inEngine(validationRef, validationSchema.nullable()),
  /** Those under way, and those that ended since the engine began, newest first. Goes on with what was under way. */
  'connect:listValidations': inEngine(workspaceRef, z.object({ validations: z.array(validationSchema) })),
  /** `method` is one of the carrier's own words, as it came. */
  'connect:chooseMethod': inEngine(
    validationRef.extend({ method: z.string().min(1).max(1000) }),
    validationSchema,
  ),
  /** May be repeated with another code where the carrier refused one; the login is not sent again. */
  'connect:sendCode': inEngine(
    validationRef.extend({ code: z.string().trim().min(1).max(50) }),
    validationSchema,
  ),

  /** Asks for the carrier's own page. It is opened by `connect:openPatientAccess`, its host shown before. */
  'connect:startPatientAccess': inEngine(payerRef.extend({ consents: consentsSchema }), patientAccessSchema),
  /** Opens the page in the system's browser where the shell can; else the window shows it as a link. */
  'connect:openPatientAccess': inEngine(
    workspaceRef.extend({ email }),
    z.object({ url: z.string(), isOpened: z.boolean() }),
  ),
  /** null: none was begun. Watched in the engine; changes are told by `connect:changed`. */
  'connect:getPatientAccess': inEngine(workspaceRef.extend({ email }), patientAccessSchema.nullable()),
};
