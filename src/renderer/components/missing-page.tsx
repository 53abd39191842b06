import { ButtonLink } from './links.tsx';
import { EmptyState } from './states.tsx';

/** The page of a record of the settings that no longer exists, with a link to the section that lists such records. */
export const MissingPage = (props: {
  what: string;
  section: 'keys' | 'rules' | 'workspaces';
  why?: string;
}) => (
  <EmptyState
    title={`This ${props.what} doesn’t exist`}
    text={props.why ?? 'It was removed.'}
    action={
      <ButtonLink to="/settings/$section" params={{ section: props.section }}>
        Go to {props.section}
      </ButtonLink>
    }
  />
);
