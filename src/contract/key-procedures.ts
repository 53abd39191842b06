import { z } from 'zod';
import { done, inMain, keyRef, nothing, workspaceRef } from './procedure-parts.ts';
import { rotationAnswers, rotationStateSchema } from './rotation.ts';
import { keyDescriptionSchema, keyProofSchema, keySourceSchema, keyTypes, sshKeySchema } from './ssh-keys.ts';
import { workspaceSchema } from './workspace.ts';

const keyName = z.string().min(1).max(80);
const savedFile = z.object({ displayPath: z.string() });

/** SSH keys and their rotation. Private keys and passphrases are never returned. */
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
  /** Copies the public key to the clipboard where the shell can; otherwise the window copies the text that it has. */
  'keys:copyPublic': inMain(z.object({ keyId: z.string() }), z.object({ isCopied: z.boolean() })),
  /** Opens the service's page for SSH keys in the system's browser where the shell can. */
  'keys:openRegistration': inMain(workspaceRef, z.object({ url: z.string(), isOpened: z.boolean() })),
  /** Checks by one signed request whether the service accepts the key. */
  'keys:check': inMain(workspaceRef.extend({ keyId: z.string().optional() }), keyProofSchema),
  /** Null: the person chose no file. The passphrase opens the file and is not stored. */
  'keys:import': inMain(
    z.object({
      source: keySourceSchema,
      passphrase: z.string().max(1000).optional(),
      name: keyName.optional(),
      workspaceId: z.string().optional(),
    }),
    sshKeySchema.nullable(),
  ),
  /** Writes the private key as an OpenSSH file under a passphrase, and reads the file again to check it. */
  'keys:backUp': inMain(
    keyRef.extend({ passphrase: z.string().max(1000), targetId: z.string() }),
    savedFile.extend({ keyId: z.string(), fingerprint: z.string() }),
  ),
  'keys:savePublic': inMain(keyRef.extend({ targetId: z.string() }), savedFile),
  'keys:describe': inMain(keyRef, keyDescriptionSchema),
  'keys:rename': inMain(keyRef.extend({ name: keyName }), sshKeySchema),
  /**
   * Keys with a file that cannot be read. `keys:retire` removes them; one that signs for a workspace needs its ID as
   * the typed name.
   */
  'keys:listDamaged': inMain(
    nothing,
    z.object({
      keys: z.array(z.object({ id: z.string(), workspaceIds: z.array(z.string()) })),
    }),
  ),
  /** Removes a key permanently. One that signs for a workspace, or the last working one, needs its name typed. */
  'keys:retire': inMain(keyRef.extend({ typedName: z.string().max(200).optional() }), done),

  /** Starts to replace the key of a workspace, and does all steps until one needs the user. */
  'rotation:begin': inMain(workspaceRef.extend({ type: z.enum(keyTypes).optional() }), rotationStateSchema),
  /** Null: there is no rotation. Changes nothing. */
  'rotation:get': inMain(workspaceRef, rotationStateSchema.nullable()),
  /** Records that the user has done their step; continues until the next one that needs the user. */
  'rotation:answer': inMain(workspaceRef.extend({ answer: z.enum(rotationAnswers) }), rotationStateSchema),
  /** Tries the failed step again. Null: there is no rotation. */
  'rotation:resume': inMain(workspaceRef, rotationStateSchema.nullable()),
} as const;
