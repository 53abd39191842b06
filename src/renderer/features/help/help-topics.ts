import type { MarkedToken } from 'marked';
import guide from '../../../../docs/admin-guide.md?raw';
import commands from '../../../../docs/cli.md?raw';
import {
  exclusiveIds,
  findWorklist,
  fullNameOf,
  partsOf,
  sidebarLists,
  type WorklistId,
} from '../../../rules/worklists/worklist-table.ts';
import { reviewShortcuts } from '../../domain/review/group-commands.ts';
import { type Shortcut, shortcutScreens, shortcuts } from '../../lib/shortcuts.ts';
import { childrenOf, readDocument, toAnchor } from './read-document.ts';

/** A table of keys, which is in no document. */
export interface KeysBlock {
  readonly type: 'keys';
  readonly rows: readonly Shortcut[];
}

export interface HelpTopic {
  readonly id: string;
  readonly title: string;
  readonly group: 'Guide' | 'Keyboard shortcuts' | 'Command line';
  readonly blocks: readonly (MarkedToken | KeysBlock)[];
}

/** Addresses of the guide's pictures in the built window, by their paths from here. */
const pictures = import.meta.glob<string>('../../../../docs/pictures/guide-*.png', {
  query: '?url',
  import: 'default',
  eager: true,
});

/** The address of a picture of the guide in the window. */
export const findPicture = (file: string): string | undefined => pictures[`../../../../docs/${file}`];

const isCommand = (title: string): boolean => /^[a-z]+$/.test(title);

/** Names such as `export` are used by a part of the guide and by a command. */
const commandId = (anchor: string): string => `command-${anchor}`;

const keysOf = (where: Shortcut['where']): KeysBlock => ({
  type: 'keys',
  rows: [...shortcuts, ...reviewShortcuts].filter((shortcut) => shortcut.where === where),
});

const describeWorklist = (id: WorklistId): string => `- **${fullNameOf(id)}:** ${findWorklist(id).sentence}`;

/** The contents of each worklist, from the table of worklists: each list with its tabs and parts. */
const worklists = `## Why a claim is in a list

Each undecided claim of the review period is in exactly one list: the first that it belongs to, in the order ${exclusiveIds.map((id) => `**${findWorklist(id).name}**`).join(', ')}, or counted as **With the carrier** or **Nothing open**. A claim leaves its list as soon as the reason is gone.

${[...sidebarLists.flatMap(({ tabs }) => tabs), 'due' as const]
  .flatMap((id) => [id, ...partsOf(id).map((part) => part.id)])
  .map(describeWorklist)
  .join('\n')}
`;

/** The parts of the guide, with the worklists after what is open. */
const guideParts = readDocument(guide).flatMap((part) =>
  part.anchor === 'why-an-amount-is-open-or-less-than-patient-responsibility'
    ? [part, ...readDocument(worklists)]
    : [part],
);

/** The guide for administrators, every key, and the help of every command, as they are built into the window. */
export const helpTopics: readonly HelpTopic[] = [
  ...guideParts.map(({ title, anchor, blocks }) => ({
    id: anchor,
    title,
    group: 'Guide' as const,
    blocks,
  })),
  ...shortcutScreens.map((where) => ({
    id: `keys-${toAnchor(where)}`,
    title: where,
    group: 'Keyboard shortcuts' as const,
    blocks: [keysOf(where)],
  })),
  ...readDocument(commands).map(({ title, anchor, blocks }) => ({
    id: commandId(anchor),
    title: isCommand(title) ? `claimdesk ${title}` : title,
    group: 'Command line' as const,
    blocks,
  })),
];

const topicOf = (id: string): HelpTopic | undefined => helpTopics.find((topic) => topic.id === id);

/** The topic that a link of the guide leads to: `#anchor` there, `cli.md` or a part of it. */
export function findLinked(to: string): HelpTopic | undefined {
  if (to.startsWith('#')) return topicOf(to.slice(1));
  const [file, anchor] = to.split('#');
  if (file !== 'cli.md') return undefined;
  return anchor === undefined
    ? helpTopics.find((topic) => topic.group === 'Command line')
    : topicOf(commandId(anchor));
}

/** The help of the command that a text begins with. */
export function findCommand(text: string): HelpTopic | undefined {
  const [, name] = /^claimdesk ([a-z]+)/.exec(text) ?? [];
  return name === undefined ? undefined : topicOf(commandId(name));
}

/** The help of every command in a block of code, each once. */
export const findCommands = (code: string): readonly HelpTopic[] => [
  ...new Set(code.split('\n').flatMap((line) => findCommand(line) ?? [])),
];

/** The words of a token without its marks. */
function wordsOf(token: MarkedToken): string {
  const children = childrenOf(token);
  return children.length === 0 && 'text' in token ? token.text : children.map(wordsOf).join('');
}

/** The text of a topic, in pieces of which a search shows one. */
export const listPieces = ({ blocks }: HelpTopic): readonly string[] =>
  blocks.flatMap((block) => {
    if (block.type === 'keys') return block.rows.map(({ keys, does }) => `${does}: ${keys.join(', ')}`);
    if (block.type === 'list') return block.items.map(wordsOf);
    if (block.type === 'code') return block.text.split('\n').map((line) => line.trim());
    return [wordsOf(block)];
  });
