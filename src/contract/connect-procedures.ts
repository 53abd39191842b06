import { z } from 'zod';
import { carrierConnectionSchema, patientAccessSchema, validationSchema } from './carrier-connections.ts';
import {
  carrierFieldsSchema,
  connectEmployerSchema,
  connectMemberSchema,
  connectPayerSchema,
  consentsSchema,
  memberPlanSchema,
  newMemberSchema,
  payerFormSchema,
} from './connect-members.ts';
import { connectSettingsChangeSchema, connectSettingsSchema } from './connect-settings.ts';
import { done, inEngine, withoutRecords, workspaceRef } from './procedure-parts.ts';

const email = z.string().trim().min(3).max(320);
/**
 * `employerId` is required where a member has several employers; otherwise the employer of the last bootstrap is used.
 */
const memberRef = workspaceRef.extend({ email, employerId: z.int().optional() });
const payerRef = memberRef.extend({ payerId: z.int() });
const connectionRef = workspaceRef.extend({ policyHolderId: z.int() });
/** A validation is identified by its connection: a newer submit replaces it. */
const validationRef = workspaceRef.extend({
  policyHolderId: z.int(),
  /** Required where this computer does not know whose connection it is. */
  email: email.optional(),
});

/** Connect (docs/service.md, "Connect calls"): the integration, its members, their carrier logins. */
export const connectProcedures = {
  'connect:getSettings': inEngine(workspaceRef, connectSettingsSchema, withoutRecords),
  'connect:saveSettings': inEngine(
    workspaceRef.extend(connectSettingsChangeSchema.shape),
    connectSettingsSchema,
    withoutRecords,
  ),
  /** Checks the secret key by requesting an access token, which stays in the engine. */
  'connect:mint': inEngine(
    workspaceRef,
    z.object({ mintedAt: z.string(), requestId: z.string().nullable() }),
    withoutRecords,
  ),

  /**
   * Employers to choose from, by name: those of the records in the integration's tenant, and those that Connect
   * returned.
   */
  'connect:listEmployers': inEngine(
    workspaceRef,
    z.object({ employers: z.array(connectEmployerSchema) }),
    withoutRecords,
  ),
  /** Returns what `connect:addMember` would do with the same input, and fails where it would fail. Changes nothing. */
  'connect:planMember': inEngine(
    workspaceRef.extend(newMemberSchema.shape),
    memberPlanSchema,
    withoutRecords,
  ),
  /** Creates or finds a member; repeating it has no further effect. */
  'connect:addMember': inEngine(
    workspaceRef.extend(newMemberSchema.shape),
    z.object({
      member: connectMemberSchema,
      payers: z.array(connectPayerSchema),
      connections: z.array(carrierConnectionSchema),
    }),
    withoutRecords,
  ),
  /** Members that were bootstrapped from this computer under these settings, newest first. */
  'connect:listMembers': inEngine(
    workspaceRef,
    z.object({ members: z.array(connectMemberSchema) }),
    withoutRecords,
  ),
  /** Deletes a member on this computer, with what is stored of their connections. */
  'connect:forgetMember': inEngine(workspaceRef.extend({ email }), done, withoutRecords),
  'connect:listPayers': inEngine(
    memberRef,
    z.object({ payers: z.array(connectPayerSchema) }),
    withoutRecords,
  ),
  'connect:getPayer': inEngine(payerRef, payerFormSchema, withoutRecords),
  /** Untrusted HTML: it is sanitized where it is shown. */
  'connect:getTerms': inEngine(memberRef, z.object({ untrustedHtml: z.string() }), withoutRecords),

  /**
   * Submits a carrier login and starts to watch its validation. A refused field is `connect.invalid` with
   * `details['field.<name>']`.
   */
  'connect:submit': inEngine(
    payerRef.extend({ fields: carrierFieldsSchema, consents: consentsSchema }),
    validationSchema,
    withoutRecords,
  ),
  /** Submits a corrected login for an existing connection; otherwise as `connect:submit`. */
  'connect:correct': inEngine(
    payerRef.extend({
      policyHolderId: z.int(),
      fields: carrierFieldsSchema,
      consents: consentsSchema,
    }),
    validationSchema,
    withoutRecords,
  ),
  /**
   * Connections of a member, and those with these IDs of any member; without both, of all members. Those that need
   * attention come first. Returns them as last read, unless `isFresh`: then each member is read again, and `failures`
   * lists those that could not be read.
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
    withoutRecords,
  ),
  /** Reads a member's connections again by `GET /fix-credentials`; those that need attention come first. */
  'connect:fix': inEngine(
    memberRef,
    z.object({ connections: z.array(carrierConnectionSchema) }),
    withoutRecords,
  ),

  /** Reads one connection again by `GET /policy_holder/{id}`. Needs no secret key. */
  'connect:readConnection': inEngine(connectionRef, carrierConnectionSchema, withoutRecords),
  /**
   * Reads a connection again with its whole username, for the form that corrects it. The username is not stored; null
   * where the service does not return it without a secret key. `consents` are those that the member gave here and that
   * still hold, because the service's terms have not changed since; null: they have to be given again.
   */
  'connect:beginCorrection': inEngine(
    connectionRef,
    z.object({
      connection: carrierConnectionSchema,
      username: z.string().nullable(),
      consents: consentsSchema.nullable(),
    }),
    withoutRecords,
  ),
  /**
   * Finds the carrier to which the members of a `migrating` carrier move: it is in the same group. The member gets a
   * connection of their own there, by `connect:submit`.
   * @throws DeskError `connect.newCarrierUnknown`
   */
  'connect:findNewCarrier': inEngine(connectionRef, connectPayerSchema, withoutRecords),

  /**
   * Starts or continues to watch a validation. It continues without a window; changes are sent as `connect:changed`.
   */
  'connect:watch': inEngine(validationRef, validationSchema, withoutRecords),
  /**
   * Watches validations that the service reports as running although their login was not submitted here: the one of the
   * given connection, and then a few of those that were running when they were last read. To be called repeatedly while
   * a window is open; `watched` are those that are watched now.
   */
  'connect:watchRunning': inEngine(
    workspaceRef.extend({ onScreenId: z.int().nullable() }),
    z.object({ watched: z.array(z.int()) }),
    withoutRecords,
  ),
  /** Starts to watch again where the result is not known; otherwise the same as `connect:watch`. Sends no login. */
  'connect:checkAgain': inEngine(validationRef, validationSchema, withoutRecords),
  /** Null: no validation of this connection is known. */
  'connect:getValidation': inEngine(validationRef, validationSchema.nullable(), withoutRecords),
  /**
   * Running validations, and those that ended since the engine started, newest first. Continues to watch the running
   * ones.
   */
  'connect:listValidations': inEngine(
    workspaceRef,
    z.object({ validations: z.array(validationSchema) }),
    withoutRecords,
  ),
  /** `method` is one of the carrier's own labels, unchanged. */
  'connect:chooseMethod': inEngine(
    validationRef.extend({ method: z.string().min(1).max(1000) }),
    validationSchema,
    withoutRecords,
  ),
  /** May be called again with another code where the carrier refused one; the login is not sent again. */
  'connect:sendCode': inEngine(
    validationRef.extend({ code: z.string().trim().min(1).max(50) }),
    validationSchema,
    withoutRecords,
  ),

  /** Requests the address of the carrier's own page. `connect:openPatientAccess` opens it, after its host was shown. */
  'connect:startPatientAccess': inEngine(
    payerRef.extend({ consents: consentsSchema }),
    patientAccessSchema,
    withoutRecords,
  ),
  /** Opens the page in the system's browser where the shell can; otherwise the window shows it as a link. */
  'connect:openPatientAccess': inEngine(
    workspaceRef.extend({ email }),
    z.object({ url: z.string(), isOpened: z.boolean() }),
    withoutRecords,
  ),
  /** Null: none was started. The engine watches it; changes are sent as `connect:changed`. */
  'connect:getPatientAccess': inEngine(
    workspaceRef.extend({ email }),
    patientAccessSchema.nullable(),
    withoutRecords,
  ),
};
