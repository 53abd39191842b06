import type { Handlers } from '../../../src/contract/procedures.ts';
import type { RetentionRules, SavedView, StoreCheck, StoreFileState } from '../../../src/contract/store.ts';
import { toViewFile } from '../../../src/contract/views.ts';
import type { Emit, FakeStart } from './fake-desk.ts';

type Names =
  | 'store:getState'
  | 'store:check'
  | 'store:repair'
  | 'store:removeKeptAside'
  | 'data:planRemoval'
  | 'data:remove'
  | 'data:liftRetention'
  | 'data:removeEverything'
  | 'views:list'
  | 'views:save'
  | 'views:export'
  | 'views:remove';

const done = { isDone: true } as const;

/** The files of the store, in memory; in the scene `damaged` they ask for a repair, in `updating` they are not open. */
export function createFakeStore(start: FakeStart, emit: Emit): Handlers<Names> {
  const at = '2026-03-02T08:15:00Z';
  const check = (isFull: boolean): StoreCheck => ({ at, isFull, isSound: true, problems: 0, seconds: 0.8 });
  let isDamaged = start.scene === 'damaged';
  let retention: RetentionRules = { claimsBefore: null, memberIds: [] };
  const views = new Map<string, SavedView>();
  let keptAside: StoreFileState['keptAside'] = [];
  let lastRepair: StoreFileState['lastRepair'] = null;
  const file = (name: StoreFileState['file'], bytes: number): StoreFileState => ({
    file: name,
    isThere: true,
    bytes,
    isDamaged: false,
    lastCheck: check(false),
    lastRepair: null,
    failedBackup: null,
    backups: [],
    keptAside: [],
  });
  return {
    'store:getState': ({ workspaceId }) => {
      if (start.scene === 'updating')
        emit('store:opening', { workspaceId, progress: { doing: 'migrating', done: 96, of: 215 } });
      return {
        records: { ...file('records', 1_412_300_000), isDamaged, lastRepair, keptAside },
        userData: {
          ...file('userData', 812_000),
          backups: [{ name: 'ours-20260302T080000000Z.db', bytes: 780_000, at }],
        },
        retention,
      };
    },
    'store:check': ({ workspaceId, isFull }) => {
      emit('store:changed', { workspaceId });
      return {
        records: { ...check(isFull), isSound: !isDamaged },
        userData: check(isFull),
        connect: check(isFull),
      };
    },
    'store:repair': ({ workspaceId, file: name, mayLose }) => {
      const report = {
        at,
        file: name,
        outcome: mayLose ? ('repaired' as const) : ('needsConsent' as const),
        steps: [
          { step: 'reopen' as const, outcome: 'notPossible' as const },
          { step: 'salvage' as const, outcome: mayLose ? ('done' as const) : ('needsConsent' as const) },
        ],
        lost: [{ what: 'claims' as const, count: 14 }],
        keptAside: mayLose ? 'records-20260302T081500000Z.db' : null,
        needsSync: true,
      };
      if (mayLose) {
        isDamaged = false;
        lastRepair = report;
        keptAside = [{ name: 'records-20260302T081500000Z.db', bytes: 1_412_300_000, at }];
      }
      emit('store:changed', { workspaceId });
      return report;
    },
    'store:removeKeptAside': () => {
      const files = keptAside.length;
      keptAside = [];
      return { ...done, files };
    },
    'data:planRemoval': ({ removal }) => ({
      members: removal.kind === 'member' ? 1 : 0,
      claims: 312,
      sharedClaims: removal.kind === 'member' ? 2 : 0,
      reviews: 3,
    }),
    'data:remove': ({ workspaceId, removal }) => {
      retention =
        removal.kind === 'member'
          ? { ...retention, memberIds: [...retention.memberIds, removal.memberId] }
          : { ...retention, claimsBefore: removal.date };
      emit('store:changed', { workspaceId });
      return { members: 0, claims: 312, sharedClaims: 0, reviews: 3 };
    },
    'data:liftRetention': ({ workspaceId }) => {
      retention = { claimsBefore: null, memberIds: [] };
      emit('store:changed', { workspaceId });
      return done;
    },
    'data:removeEverything': () => done,
    'views:list': () => ({ views: [...views.values()] }),
    'views:save': ({ workspaceId, id = `view-${views.size + 1}`, name, query }) => {
      const saved = { id, name, query, createdAt: at, updatedAt: at };
      views.set(id, saved);
      emit('views:changed', { workspaceId });
      return saved;
    },
    'views:export': ({ name, content }) => ({ leftOut: toViewFile(name, content).leftOut }),
    'views:remove': ({ workspaceId, id }) => {
      views.delete(id);
      emit('views:changed', { workspaceId });
      return done;
    },
  };
}
