import { z } from 'zod';
import { tokenHeaderSchema } from './workspace.ts';

/** What the common headers are called; they can differ between deployments. docs/service.md, "Connect requests". */
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

/** Where Connect lies: `/connect/v1`, or `/sdk-api` with the old spellings of routes. Interface, "Versioning". */
export const connectBases = ['current', 'legacy'] as const;
/** How a correction names its connection: `PUT /policy_holder/{id}`, or bare with the id in the body. */
export const correctionSpellings = ['path', 'body'] as const;

/** A header's value: printable ASCII. */
const headerText = (maxLength: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(maxLength)
    .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/);

/** Any text but control characters: it travels as UTF-8. */
const tenantText = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}]+$/u);

/** The integration of a workspace without its secret key, of which only whether there is one is ever told. */
export const connectSettingsSchema = z.object({
  publicToken: headerText(500).nullable(),
  hasSecret: z.boolean(),
  tenantLabel: tenantText.nullable(),
  tenantKey: tenantText.nullable(),
  /** Demo data of the service in place of real members. */
  isDemo: z.boolean(),
  base: z.enum(connectBases),
  correction: z.enum(correctionSpellings),
  headers: connectHeadersSchema,
});
export type ConnectSettings = z.infer<typeof connectSettingsSchema>;

/** Changes what is given. `secretKey` goes inward once; null removes it. */
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
