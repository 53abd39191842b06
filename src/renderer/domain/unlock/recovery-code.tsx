import { KeptSecret } from '../../components/kept-secret.tsx';

/** The profile's recovery code, which is shown only once. */
export const RecoveryCode = ({ code, onKept }: { code: string; onKept: () => void }) => (
  <KeptSecret
    secret={code}
    kind="code"
    about="This code opens Claimdesk if you forget the passphrase, or on another computer with a copy of the profile. It isn’t shown again. Without the passphrase and the code, notes and SSH keys can’t be recovered."
    printed="Claimdesk recovery code. Keep it away from the computer."
    onKept={onKept}
  />
);
