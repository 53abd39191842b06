import { z } from 'zod';
import { tokenHeaderSchema } from './workspace.ts';

/** Names of the common headers, which can differ between deployments (docs/service.md, "Connect requests"). */
export const connectHeadersSchema = z.object({
  serviceToken: tokenHeaderSchema.default('X-Service-Token'),
  apiVersion: tokenHeaderSchema.default('X-Connect-API-Version'),
  accessToken: tokenHeaderSchema.default('X-Connect-Access-Token'),
  newAccessToken: tokenHeaderSchema.default('X-Set-Connect-Access-Token'),
  tenantLabel: tokenHeaderSchema.default('X-Tenant-Label'),
  tenantKey: tokenHeaderSchema.default('X-Tenant-Key'),
  stateId: tokenHeaderSchema.default('X-Connect-State-Id'),
  isDemo: tokenHeaderSchema.default('X-Is-Demo'),
});
export type ConnectHeaders = z.infer<typeof connectHeadersSchema>;

/**
 * Where Connect is: at `/connect/v1`, or at `/sdk-api` with the old spellings of routes (docs/service.md, "Legacy
 * spellings").
 */
export const connectBases = ['current', 'legacy'] as const;
/**
 * How a correction identifies its connection: `PUT /policy_holder/{id}`, or without ID in the path and with it in the
 * body.
 */
const correctionSpellings = ['path', 'body'] as const;

/** A header's value: printable ASCII. */
const headerText = (maxLength: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(maxLength)
    .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/);

/** Any text without control characters; it is sent as UTF-8. */
const tenantText = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}]+$/u);

/** The integration of a workspace. Of its secret key, only whether there is one is ever returned. */
export const connectSettingsSchema = z.object({
  publicToken: headerText(500).nullable(),
  hasSecret: z.boolean(),
  tenantLabel: tenantText.nullable(),
  tenantKey: tenantText.nullable(),
  /** Use the service's demo data instead of real members. */
  isDemo: z.boolean(),
  base: z.enum(connectBases),
  correction: z.enum(correctionSpellings),
  headers: connectHeadersSchema,
});
export type ConnectSettings = z.infer<typeof connectSettingsSchema>;

/** Changes the given settings. `secretKey` is sent to the engine once and never returned; null removes it. */
export const connectSettingsChangeSchema = connectSettingsSchema
  .omit({ hasSecret: true, headers: true })
  .partial()
  .extend({
    headers: z
      .object(
        Object.fromEntries(
          Object.keys(connectHeadersSchema.shape).map((name) => [name, tokenHeaderSchema.optional()]),
        ) as Record<keyof ConnectHeaders, z.ZodOptional<typeof tokenHeaderSchema>>,
      )
      .strict()
      .optional(),
    secretKey: headerText(2000).nullable().optional(),
  });
