import { Badge } from '@mantine/core';
import { Spotlight } from '@mantine/spotlight';
import {
  IconBuilding,
  IconBuildingBank,
  IconFileText,
  IconListSearch,
  IconPointer,
  IconSearch,
  IconUser,
  IconUsersGroup,
} from '@tabler/icons-react';
import { useLocation, useNavigate } from '@tanstack/react-router';
import {
  memo,
  type ReactNode,
  type RefObject,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { nounsOf } from '../domain/list/open-record.ts';
import { useOpenList } from '../domain/list/use-open-list.ts';
import { useWorkspaces } from '../domain/workspace/use-workspaces.ts';
import { useReturnedFocus } from '../lib/use-returned-focus.ts';
import styles from './command-palette.module.css';
import { matchesLabel, paletteStore } from './palette.ts';
import { type PaletteAction, usePaletteActions } from './palette-actions.tsx';
import {
  type FoundRecord,
  type OpenedRecord,
  usePaletteRecords,
  useRecentRecords,
} from './use-palette-records.ts';

/** Where buttons belong to a row, a form, a question, or the review, whose commands the palette has by their keys. */
const notOfPage = 'table, form, fieldset, li, [role="grid"], [role="dialog"], [aria-label="Review"]';

/**
 * The commands of the open page: its buttons that are in sight and enabled, each by its name, as they are when the
 * palette opens. The button itself is pressed, so that a command has one place.
 */
const usePageCommands = (isOpened: boolean): readonly PaletteAction[] =>
  useMemo(() => (isOpened ? listPageCommands() : []), [isOpened]);

function listPageCommands(): PaletteAction[] {
  const buttons = document.querySelectorAll<HTMLButtonElement>('#content button:not(:disabled)');
  const commands = new Map<string, HTMLButtonElement>();
  for (const button of buttons) {
    const name = (button.getAttribute('aria-label') ?? button.textContent ?? '').trim();
    const isInSight =
      button.offsetParent !== null && button.closest('[aria-hidden="true"], [inert]') === null;
    // Names with digits show a count or an amount, not a command.
    if (!isInSight || !/^\p{Lu}\D{3,40}$/u.test(name) || button.closest(notOfPage) !== null) continue;
    if (!commands.has(name)) commands.set(name, button);
  }
  return [...commands].map(([name, button]) => ({
    id: `page ${name}`,
    label: name,
    hint: 'This page',
    icon: <IconPointer size={17} aria-hidden />,
    run: () => {
      if (!button.isConnected) return;
      button.focus();
      button.click();
    },
  }));
}

/** Makes the scrollable list focusable by keyboard; passed on to its scroll area, untyped. */
const scrollable = { viewportProps: { tabIndex: 0, role: 'group', 'aria-label': 'Results' } };

const icons: Readonly<Record<FoundRecord['kind'], ReactNode>> = {
  member: <IconUser size={17} aria-hidden />,
  employer: <IconBuilding size={17} aria-hidden />,
  tenant: <IconBuildingBank size={17} aria-hidden />,
  claim: <IconFileText size={17} aria-hidden />,
  dependent: <IconUsersGroup size={17} aria-hidden />,
};

/** The kinds of records whose lists can be searched as the palette was; and what the palette finds that lists leave out. */
const showAll = [
  ['member', 'members'],
  ['dependent', 'dependents'],
  ['claim', 'claims'],
] as const;
const everything = {
  members: { includesArchived: true, includesMissing: true },
  dependents: { includesMissing: true },
  claims: { includesMissing: true },
} as const;

/** Finds anything by its name: screens, actions, members, employers, tenants and claims. */
export const CommandPalette = memo(function CommandPalette() {
  const navigate = useNavigate();
  const { active } = useWorkspaces();
  const [typed, setTyped] = useState('');
  const isOpened = useSyncExternalStore(paletteStore.subscribe, () => paletteStore.getState().opened);
  useReturnedFocus(isOpened);
  const actions = usePaletteActions();
  const ofPage = usePageCommands(isOpened).filter(
    ({ label }) => !actions.some((action) => action.label === label),
  );
  const offered = [...ofPage, ...actions];
  const opened = useRef<readonly OpenedRecord[]>([]);
  const search = typed.trim();
  const recent = useRecentRecords(active?.id ?? null, opened.current, isOpened && search === '');
  const { records: matching, hasMore } = usePaletteRecords(active?.id ?? null, typed, isOpened);
  const records = search === '' ? recent : matching;
  const openList = useOpenList();
  const fitting = offered.filter(({ label }) => matchesLabel(label, search));
  const open = ({ kind, id }: FoundRecord) => {
    if (kind === 'member') void navigate({ to: '/members/$memberId', params: { memberId: id } });
    else if (kind === 'claim') void navigate({ to: '/claims/$claimId', params: { claimId: id } });
    else if (kind === 'employer') void navigate({ to: '/employers/$employerId', params: { employerId: id } });
    else if (kind === 'tenant') void navigate({ to: '/tenants/$tenantId', params: { tenantId: id } });
    else void navigate({ to: '/dependents/$dependentId', params: { dependentId: id } });
  };
  const box = useRef<HTMLInputElement>(null);
  return (
    <>
      <KeepOpened key={active?.id} opened={opened} />
      <Spotlight.Root
        store={paletteStore}
        query={typed}
        onQueryChange={setTyped}
        shortcut={null}
        maxHeight={420}
        scrollable
        classNames={{ content: styles.content }}
        transitionProps={{ duration: 0 }}
        overlayProps={{ backgroundOpacity: 0.35, blur: 0 }}
        attributes={{ content: { 'aria-label': 'Search or jump to' } }}
      >
        <Spotlight.Search
          ref={box}
          autoFocus
          placeholder="Search members, claims, employers, or run a command"
          aria-label="Search or jump to"
          leftSection={<IconSearch size={17} aria-hidden />}
          onKeyDown={({ code }) => {
            if (code === 'Enter' || code === 'NumpadEnter') selectFirst(box.current);
          }}
        />
        <FirstSelected box={box} rows={`${search} ${records.length} ${fitting.length}`} />
        <Spotlight.ActionsList {...scrollable}>
          {records.map((record) => (
            <Spotlight.Action
              key={`${record.kind} ${record.id}`}
              label={record.label}
              description={record.detail}
              leftSection={icons[record.kind]}
              rightSection={
                record.status !== null && (
                  <Badge variant="default" tt="none">
                    {record.status}
                  </Badge>
                )
              }
              onClick={() => open(record)}
            />
          ))}
          {showAll
            .filter(([kind]) => hasMore.has(kind))
            .map(([, entity]) => (
              <Spotlight.Action
                key={`all ${entity}`}
                label={`Show all ${nounsOf[entity].many} with “${search}”`}
                leftSection={<IconListSearch size={17} aria-hidden />}
                onClick={() => openList(entity, [], [], { search, ...everything[entity] })}
              />
            ))}
          {fitting.map((action) => (
            <Spotlight.Action
              key={action.id}
              label={action.label}
              leftSection={action.icon}
              rightSection={action.hint}
              onClick={action.run}
            />
          ))}
          {records.length === 0 && fitting.length === 0 && (
            <Spotlight.Empty>No results. Try a name, claim number, or page.</Spotlight.Empty>
          )}
        </Spotlight.ActionsList>
      </Spotlight.Root>
    </>
  );
});

const maxOpened = 6;
const kindsByPath: Readonly<Record<string, OpenedRecord['kind']>> = {
  members: 'member',
  dependents: 'dependent',
  claims: 'claim',
};

/** Keeps which records of a workspace were opened last, by their addresses and only in memory. The closed palette is not drawn for it. */
function KeepOpened({ opened }: { opened: RefObject<readonly OpenedRecord[]> }): null {
  const path = useLocation({ select: ({ pathname }) => pathname });
  useEffect(() => {
    opened.current = [];
  }, [opened]);
  useEffect(() => {
    const [, list = '', digits = ''] = /^\/(members|dependents|claims)\/(\d+)$/.exec(path) ?? [];
    const kind = kindsByPath[list];
    if (kind === undefined) return;
    const id = Number(digits);
    const before = opened.current.filter((record) => record.kind !== kind || record.id !== id);
    opened.current = [{ kind, id }, ...before].slice(0, maxOpened);
  }, [path, opened]);
  return null;
}

/**
 * Selects the first row where none is selected, or where rows came before the one that was first, so that Enter always
 * opens the row that looks selected.
 */
function selectFirst(box: HTMLInputElement | null): void {
  const list = box?.closest('[role="dialog"]');
  const selected = list?.querySelector('[data-selected]');
  if (list == null || (selected != null && paletteStore.getState().selected > 0)) return;
  selected?.removeAttribute('data-selected');
  list.querySelector('[data-action]')?.setAttribute('data-selected', 'true');
  paletteStore.updateState((state) => ({ ...state, selected: 0 }));
}

/**
 * Rendered only in the open palette. Rows can change after the last key, which the list does not detect; `rows`
 * changes with them.
 */
function FirstSelected({ box, rows }: { box: RefObject<HTMLInputElement | null>; rows: string }): null {
  // biome-ignore lint/correctness/useExhaustiveDependencies: changed rows may have taken the selected one away
  useEffect(() => {
    selectFirst(box.current);
  }, [box, rows]);
  return null;
}
