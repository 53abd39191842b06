import { z } from 'zod';
import { done, inMain, keyRef, nothing, workspaceRef } from './procedure-parts.ts';
import { rotationAnswers, rotationStateSchema } from './rotation.ts';
import { keyDescriptionSchema, keyProofSchema, keySourceSchema, keyTypes, sshKeySchema } from './ssh-keys.ts';
import { workspaceSchema } from './workspace.ts';

const keyName = z.string().min(1).max(80);
const savedFile = z.object({ displayPath: z.string() });

/** SSH keys and their rotation. No private key and no passphrase of one is ever answered. */
export const keyProcedures = {
  'keys:list': inMain(nothing, z.object({ keys: z.array(sshKeySchema) })),
  'keys:generate': inMain(
    z.object({
      type: z.enum(keyTypes),
      name: z.string().min(1).max(80).optional(),
      workspaceId: z.string().optional(),
    }),
    sshKeySchema,
  ),
  'keys:use': inMain(workspaceRef.extend({ keyId: z.string() }), workspaceSchema),
  /** Puts the public key on the clipboard where the shell can; else the window does it with what it has. */
  'keys:copyPublic': inMain(z.object({ keyId: z.string() }), z.object({ isCopied: z.boolean() })),
  /** Opens the service's page for SSH keys in the system's browser where the shell can. */
  'keys:openRegistration': inMain(workspaceRef, z.object({ url: z.string(), isOpened: z.boolean() })),
  /** Proves by one signed request that the service accepts the key. */
  'keys:check': inMain(workspaceRef.extend({ keyId: z.string().optional() }), keyProofSchema),
  /** null: the person chose no file. The passphrase opens the file and is not kept. */
  'keys:import': inMain(
    z.object({
      source: keySourceSchema,
      passphrase: z.string().max(1000).optional(),
      name: keyName.optional(),
      workspaceId: z.string().optional(),
    }),
    sshKeySchema.nullable(),
  ),
  /** Writes the private key as an OpenSSH file under a passphrase, and reads it back before it says so. */
  'keys:backUp': inMain(
    keyRef.extend({ passphrase: z.string().max(1000), targetId: z.string() }),
    savedFile.extend({ keyId: z.string(), fingerprint: z.string() }),
  ),
  'keys:savePublic': inMain(keyRef.extend({ targetId: z.string() }), savedFile),
  'keys:describe': inMain(keyRef, keyDescriptionSchema),
  'keys:rename': inMain(keyRef.extend({ name: keyName }), sshKeySchema),
  /** Keys whose files are there and cannot be read. They go by `keys:retire`, their id typed where they sign. */
  'keys:listDamaged': inMain(
    nothing,
    z.object({
      keys: z.array(z.object({ id: z.string(), workspaceIds: z.array(z.string()) })),
    }),
  ),
  /** Removes a key for good. One that signs for a workspace, or the last working one: its name must be typed. */
  'keys:retire': inMain(keyRef.extend({ typedName: z.string().max(200).optional() }), done),

  /** Begins to replace the key of a workspace, and goes as far as it can without a person. */
  'rotation:begin': inMain(workspaceRef.extend({ type: z.enum(keyTypes).optional() }), rotationStateSchema),
  /** null: none is under way. Changes nothing. */
  'rotation:get': inMain(workspaceRef, rotationStateSchema.nullable()),
  /** A person has done their part; continues as far as it can. */
  'rotation:answer': inMain(workspaceRef.extend({ answer: z.enum(rotationAnswers) }), rotationStateSchema),
  /** Tries once more what Claimdesk does itself. null: none is under way. */
  'rotation:resume': inMain(workspaceRef, rotationStateSchema.nullable()),
} as const;
