#!/usr/bin/env node
// Plain JavaScript that old versions of Node parse too: it only finds a Node that runs the rest.
import { ensureNode } from '../../../../scripts/ensure-node.mjs';
import { findDescriptors } from '../../../../scripts/find-descriptors.mjs';

const { args, descriptors } = findDescriptors(process.argv.slice(2));
await ensureNode(import.meta.url, { args, descriptors });
const { keepFilesPrivate } = await import('../../lib/narrow-profile.ts');
keepFilesPrivate();
const { runCommandLine } = await import('./command-line.ts');
process.exitCode = await runCommandLine(args);
