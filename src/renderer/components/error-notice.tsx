import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { ErrorReport } from '../../contract/result.ts';
import { copyText } from '../lib/copy-text.ts';
import { describeForSupport, reportOf } from '../lib/desk-error.ts';
import { Details } from './details.tsx';
import { AnchorLink } from './links.tsx';
import { Notice } from './notice.tsx';
import { SmallButton } from './small-button.tsx';
import { LoadingState } from './states.tsx';

/** Shows an error and the next step, with a button that copies details for support. */
export function ReportNotice(props: { report: ErrorReport; title?: string; action?: ReactNode }) {
  const { report } = props;
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => setIsCopied(await copyText(describeForSupport(report, new Date())));
  return (
    <Notice tone="bad" role="alert" title={props.title ?? report.message}>
      <Stack gap={6}>
        {props.title !== undefined && <Text size="sm">{report.message}</Text>}
        <Text size="sm">
          <b>What to do: </b>
          {report.nextStep}
        </Text>
        <Group gap="xs" align="center">
          {props.action ?? (isOfConnection(report) && <DoctorLink />)}
          <Button size="compact-xs" variant="default" onClick={copy}>
            {isCopied ? 'Details copied' : 'Copy details'}
          </Button>
        </Group>
        <Details>
          <Text size="xs" component="span">
            Code <Code>{report.code}</Code>
            {report.requestId !== undefined && (
              <>
                {' '}
                · Request ID <Code>{report.requestId}</Code>
              </>
            )}
          </Text>
        </Details>
      </Stack>
    </Notice>
  );
}

/** Whether the connection check can examine the error. */
const isOfConnection = ({ code }: ErrorReport): boolean => code.startsWith('service.');

const DoctorLink = () => (
  <AnchorLink to="/settings/$section" params={{ section: 'doctor' }}>
    Run connection check
  </AnchorLink>
);

/**
 * The `ReportNotice` for the error of a call or query; nothing where `error` is null. `onRetry` adds a button to try
 * again.
 */
export function ErrorNotice(props: {
  error: unknown;
  title?: string;
  action?: ReactNode;
  onRetry?: () => unknown;
}) {
  const { error, onRetry, ...rest } = props;
  if (error === null || error === undefined) return null;
  const retry = onRetry === undefined ? {} : { action: <RetryButton onRetry={() => void onRetry()} /> };
  return <ReportNotice report={reportOf(error)} {...retry} {...rest} />;
}

interface NotLoadedProps {
  readonly query: { readonly error: unknown; readonly refetch: () => unknown };
  /** The name of what is loading, as part of a sentence: "the carriers". */
  readonly what: string;
  /** The title if loading failed; by default it has the name of the data. */
  readonly title?: string;
}

/** Shown in place of a query's data while there is none: the loading state, or why loading failed. */
export function NotLoaded({ query, what, title = `Couldn’t load ${what}` }: NotLoadedProps) {
  if (query.error === null) return <LoadingState what={what} />;
  return <ErrorNotice error={query.error} title={title} onRetry={query.refetch} />;
}

/**
 * Shows a query's data once there is some; until then `loading`, or the default loading text. An error is shown even
 * above existing data.
 */
export function Loaded<T>(
  props: NotLoadedProps & {
    query: { readonly data: T | undefined; readonly isPending: boolean };
    loading?: ReactNode;
    children: (data: T) => ReactNode;
  },
) {
  const { query, what, title, loading = <LoadingState what={what} />, children } = props;
  return (
    <>
      {query.error !== null && (
        <NotLoaded query={query} what={what} {...(title === undefined ? {} : { title })} />
      )}
      {query.isPending && loading}
      {query.data !== undefined && children(query.data)}
    </>
  );
}

export function RetryButton({ onRetry }: { onRetry: () => void }) {
  return <SmallButton onClick={onRetry}>Try again</SmallButton>;
}
