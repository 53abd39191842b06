import type { DeskBridge } from '../../../contract/bridge.ts';
import {
  type LastRead,
  type ListView,
  type SessionContent,
  sessionName,
  withoutSsn,
} from '../../../contract/views.ts';
import type { Entity } from '../../../rules/list-fields.ts';
import { isSameJson } from '../../../rules/review/same-value.ts';
import { ask } from '../../lib/desk-error.ts';

/**
 * Stores the last state of the lists in the encrypted user data: a filter can contain a name, so it is stored nowhere
 * else. If it cannot be stored, lists begin with their defaults the next time.
 */
export class SessionStore {
  readonly #bridge: DeskBridge;
  readonly #known = new Map<
    string,
    { id: string | null; lists: SessionContent['lists']; last: LastRead | null }
  >();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  /** Saves run one after the other: the first returns the id that the next ones need, otherwise there would be two. */
  readonly #saving = new Map<string, Promise<void>>();

  constructor(bridge: DeskBridge) {
    this.#bridge = bridge;
  }

  /** Sets the stored state found at the start; later answers are ignored, because this window's state is newer. */
  begin(
    workspaceId: string,
    stored: { id: string; lists: SessionContent['lists']; last?: LastRead | null } | null,
  ): void {
    if (this.#known.has(workspaceId)) return;
    this.#known.set(workspaceId, {
      id: stored?.id ?? null,
      lists: stored?.lists ?? {},
      last: stored?.last ?? null,
    });
  }

  find(workspaceId: string, entity: Entity): ListView | undefined {
    return this.#known.get(workspaceId)?.lists[entity];
  }

  findLastRead(workspaceId: string): LastRead | null {
    return this.#known.get(workspaceId)?.last ?? null;
  }

  /** Stores which record was read last, so that the user can continue there. */
  keepLastRead(workspaceId: string, last: LastRead, afterMs = 700): void {
    const session = this.#known.get(workspaceId);
    if (session === undefined || isSameJson(session.last, last)) return;
    session.last = last;
    this.#saveLater(workspaceId, afterMs);
  }

  keep(workspaceId: string, entity: Entity, view: ListView, afterMs = 700): void {
    const session = this.#known.get(workspaceId);
    if (session === undefined) return;
    const kept = withoutSsn(entity, view);
    if (isSameJson(session.lists[entity], kept)) return;
    session.lists = { ...session.lists, [entity]: kept };
    this.#saveLater(workspaceId, afterMs);
  }

  #saveLater(workspaceId: string, afterMs: number): void {
    clearTimeout(this.#timers.get(workspaceId));
    this.#timers.set(
      workspaceId,
      setTimeout(() => {
        const before = this.#saving.get(workspaceId) ?? Promise.resolve();
        this.#saving.set(
          workspaceId,
          before.then(() => this.#save(workspaceId)),
        );
      }, afterMs),
    );
  }

  async #save(workspaceId: string): Promise<void> {
    const session = this.#known.get(workspaceId);
    if (session === undefined) return;
    const content: SessionContent = { version: 2, kind: 'session', lists: session.lists, last: session.last };
    try {
      const saved = await ask(this.#bridge, 'views:save', {
        workspaceId,
        name: sessionName,
        query: JSON.stringify(content),
        ...(session.id === null ? {} : { id: session.id }),
      });
      session.id = saved.id;
    } catch {
      // If this fails, only convenience is lost: the user can set the filter again.
    }
  }
}
