import type { DeskBridge } from '../../../contract/bridge.ts';
import type { Entity } from '../../../contract/fields.ts';
import { type ListView, type SessionContent, withoutSsn } from '../../../contract/views.ts';
import { ask } from '../../lib/desk-error.ts';
import { isSame } from './list-settings.ts';
import { sessionName } from './saved-views.ts';

/**
 * Keeps how the lists were left, in the encrypted file of what people wrote: a filter can name a person, so it
 * goes nowhere else. A profile that cannot be written just begins as usual the next time.
 */
export class SessionStore {
  readonly #bridge: DeskBridge;
  readonly #known = new Map<string, { id: string | null; lists: SessionContent['lists'] }>();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  /** One save after the other: the first answers with the id that the next ones need, else there would be two. */
  readonly #saving = new Map<string, Promise<void>>();

  constructor(bridge: DeskBridge) {
    this.#bridge = bridge;
  }

  /** What was found at the start; later answers change nothing, since this window knows better. */
  begin(workspaceId: string, found: { id: string; lists: SessionContent['lists'] } | null): void {
    if (this.#known.has(workspaceId)) return;
    this.#known.set(workspaceId, { id: found?.id ?? null, lists: found?.lists ?? {} });
  }

  find(workspaceId: string, entity: Entity): ListView | undefined {
    return this.#known.get(workspaceId)?.lists[entity];
  }

  keep(workspaceId: string, entity: Entity, view: ListView, afterMs = 700): void {
    const known = this.#known.get(workspaceId);
    if (known === undefined) return;
    const kept = withoutSsn(entity, view);
    if (isSame(known.lists[entity], kept)) return;
    known.lists = { ...known.lists, [entity]: kept };
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
    const known = this.#known.get(workspaceId);
    if (known === undefined) return;
    const content: SessionContent = { version: 2, kind: 'session', lists: known.lists };
    try {
      const saved = await ask(this.#bridge, 'views:save', {
        workspaceId,
        name: sessionName,
        query: JSON.stringify(content),
        ...(known.id === null ? {} : { id: known.id }),
      });
      known.id = saved.id;
    } catch {
      // Nothing that a person did is lost: they will set the filter anew.
    }
  }
}
