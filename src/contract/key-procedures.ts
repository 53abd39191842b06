import { z } from 'zod';
import { done, keyRef, nothing, workspaceRef } from './procedure-parts.ts';
import { rotationAnswers, rotationStateSchema } from './rotation.ts';
import { keyDescriptionSchema, keyProofSchema, keySourceSchema, keyTypes, sshKeySchema } from './ssh-keys.ts';
import { workspaceSchema } from './workspace.ts';

const keyName = z.string().min(1).max(80);
const savedFile = z.object({ displayPath: z.string() });

/** SSH keys and their rotation. No private key and no passphrase of one is ever answered. */
export const keyProcedures = {
  'keys:list': { answeredBy: 'main', input: nothing, output: z.object({ keys: z.array(sshKeySchema) }) },
  'keys:generate': {
    answeredBy: 'main',
    input: z.object({
      type: z.enum(keyTypes),
      name: z.string().min(1).max(80).optional(),
      workspaceId: z.string().optional(),
    }),
    output: sshKeySchema,
  },
  'keys:use': {
    answeredBy: 'main',
    input: workspaceRef.extend({ keyId: z.string() }),
    output: workspaceSchema,
  },
  /** Puts the public key on the clipboard where the shell can; else the window does it with what it has. */
  'keys:copyPublic': {
    answeredBy: 'main',
    input: z.object({ keyId: z.string() }),
    output: z.object({ isCopied: z.boolean() }),
  },
  /** Opens the service's page for SSH keys in the system's browser where the shell can. */
  'keys:openRegistration': {
    answeredBy: 'main',
    input: workspaceRef,
    output: z.object({ url: z.string(), isOpened: z.boolean() }),
  },
  /** Proves by one signed request that the service accepts the key. */
  'keys:check': {
    answeredBy: 'main',
    input: workspaceRef.extend({ keyId: z.string().optional() }),
    output: keyProofSchema,
  },
  /** null: the person chose no file. The passphrase opens the file and is not kept. */
  'keys:import': {
    answeredBy: 'main',
    input: z.object({
      source: keySourceSchema,
      passphrase: z.string().max(1000).optional(),
      name: keyName.optional(),
      workspaceId: z.string().optional(),
    }),
    output: sshKeySchema.nullable(),
  },
  /** Writes the private key as an OpenSSH file under a passphrase, and reads it back before it says so. */
  'keys:backUp': {
    answeredBy: 'main',
    input: keyRef.extend({ passphrase: z.string().max(1000), targetId: z.string() }),
    output: savedFile.extend({ keyId: z.string(), fingerprint: z.string() }),
  },
  'keys:savePublic': {
    answeredBy: 'main',
    input: keyRef.extend({ targetId: z.string() }),
    output: savedFile,
  },
  'keys:describe': { answeredBy: 'main', input: keyRef, output: keyDescriptionSchema },
  'keys:rename': { answeredBy: 'main', input: keyRef.extend({ name: keyName }), output: sshKeySchema },
  /** Keys whose files are there and cannot be read. They go by `keys:retire`, their id typed where they sign. */
  'keys:listDamaged': {
    answeredBy: 'main',
    input: nothing,
    output: z.object({
      keys: z.array(z.object({ id: z.string(), workspaceIds: z.array(z.string()) })),
    }),
  },
  /** Removes a key for good. One that signs for a workspace, or the last working one: its name must be typed. */
  'keys:retire': {
    answeredBy: 'main',
    input: keyRef.extend({ typedName: z.string().max(200).optional() }),
    output: done,
  },

  /** Begins to replace the key of a workspace, and goes as far as it can without a person. */
  'rotation:begin': {
    answeredBy: 'main',
    input: workspaceRef.extend({ type: z.enum(keyTypes).optional() }),
    output: rotationStateSchema,
  },
  /** null: none is under way. Changes nothing. */
  'rotation:get': { answeredBy: 'main', input: workspaceRef, output: rotationStateSchema.nullable() },
  /** A person has done their part; goes on as far as it can. */
  'rotation:answer': {
    answeredBy: 'main',
    input: workspaceRef.extend({ answer: z.enum(rotationAnswers) }),
    output: rotationStateSchema,
  },
  /** Tries once more what Claimdesk does itself. null: none is under way. */
  'rotation:resume': { answeredBy: 'main', input: workspaceRef, output: rotationStateSchema.nullable() },
} as const;
