import { type Runner, row } from '../command-row.ts';
import { UsageError } from '../usage.ts';

const update = row({ call: 'workspaces:update', writes: true, arguments: ['workspaceId'] });
const runSet: Runner = (command, output) => {
  const { header, scheme } = command.options;
  if (header === undefined && scheme === undefined) throw new UsageError('--header or --scheme is required');
  return update(command, output);
};

/** `claimdesk workspace …`. */
export const workspaceCommands = {
  add: row({ call: 'workspaces:add', writes: true }),
  list: row({ call: 'workspaces:list', lines: ({ workspaces }) => workspaces }),
  set: runSet,
  remove: row({
    call: 'workspaces:remove',
    writes: true,
    arguments: ['workspaceId'],
    lines: (_answer, { workspace }) => [{ event: 'removed', id: workspace?.id, name: workspace?.name }],
  }),
};
