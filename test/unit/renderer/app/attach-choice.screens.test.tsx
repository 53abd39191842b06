import { fireEvent, screen, waitFor } from '@testing-library/dom';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { AttachDialog, type AttachRequest } from '../../../../src/renderer/app/attach-dialog.tsx';
import { renderPart } from '../../../support/render-screen.tsx';

const rowOf = (id: number, patient: string) => ({
  id,
  patient_name: patient,
  service_provider: 'Acme',
  date_of_service: null,
});
const rows = [rowOf(7, 'POWELL, ERIC'), rowOf(9, 'SMITH, ANN')];
const byNumber = { claimId: 7, isByNumber: true, says: 'Claim number agrees' };
const requestOf = (name: string): AttachRequest => ({
  ...{ workspaceId: 'w', subject: null },
  files: [new File([name], `${name}.txt`)],
});

/** The dialog, with the files that were attached and the function that opens it for others. */
function openDialog(match: () => unknown = () => ({ matches: [byNumber] })) {
  const attached: unknown[] = [];
  let open: (request: AttachRequest) => void = () => undefined;
  function Host() {
    const [request, setRequest] = useState<AttachRequest | null>(requestOf('first'));
    open = setRequest;
    return <AttachDialog request={request} onRequest={setRequest} />;
  }
  renderPart(<Host />, {
    'documents:match': match,
    'reviews:get': ({ claimId }: { claimId: number }) => ({ claimId }),
    'records:readFirst': ({ query }: { query: { entity: string; search?: string } }) => ({
      rows:
        query.entity === 'claims'
          ? rows.filter((row) => row.patient_name.includes((query.search ?? '').toUpperCase()))
          : [],
    }),
    'documents:attach': ({ name, claimId }: { name: string; claimId: number }) => {
      attached.push([name, claimId]);
      return {};
    },
  } as never);
  return { attached, open: (request: AttachRequest) => open(request) };
}

const findSearch = () => screen.findByRole<HTMLInputElement>('combobox', { name: /laim or member/ });
const attachButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Attach' });
const type = (box: HTMLInputElement, value: string) => {
  box.focus();
  fireEvent.change(box, { target: { value } });
};
async function choose(box: HTMLInputElement, typed: string, label: RegExp) {
  type(box, typed);
  fireEvent.click(await screen.findByRole('option', { name: label, hidden: true }));
  await waitFor(() => expect(attachButton().disabled).toBe(false));
}

test('typing in the search clears the claim that was chosen before', async () => {
  openDialog();
  fireEvent.click(await screen.findByRole('radio', { name: /^Claim 7/ }));
  expect(attachButton().disabled).toBe(false);
  const box = await findSearch();
  type(box, 'Smith');
  expect(attachButton().disabled).toBe(true);
  expect(screen.getByRole<HTMLInputElement>('radio', { name: /^Claim 7/ }).checked).toBe(false);
  await screen.findByRole('option', { name: /Claim 9/, hidden: true });
  box.blur();
  await waitFor(() => expect(box.value).toBe(''));
  expect(attachButton().disabled).toBe(true);
});

test('typing in the search clears the claim that was chosen in it, until it is shown there again', async () => {
  const { attached } = openDialog(() => ({ matches: [] }));
  const box = await findSearch();
  await choose(box, 'Powell', /Claim 7/);
  const chosen = box.value;
  type(box, 'Smith');
  expect(attachButton().disabled).toBe(true);
  box.blur();
  await waitFor(() => expect(box.value).toBe(chosen));
  expect(attachButton().disabled).toBe(false);
  await choose(box, 'Smith', /Claim 9/);
  fireEvent.submit(attachButton().closest('form') as HTMLFormElement);
  await waitFor(() => expect(attached).toEqual([['first.txt', 9]]));
});

test('another file starts without the claim and the kind that were chosen for the previous one', async () => {
  let calls = 0;
  const { open } = openDialog(() => {
    calls += 1;
    return { matches: calls === 1 ? [byNumber] : [] };
  });
  fireEvent.click(await screen.findByRole('radio', { name: /^Claim 7/ }));
  fireEvent.change(screen.getByLabelText('Kind'), { target: { value: 'other' } });
  open(requestOf('second'));
  await screen.findByText(/second\.txt/);
  expect(attachButton().disabled).toBe(true);
  expect(screen.getByLabelText<HTMLSelectElement>('Kind').value).toBe('receipt');
});

test('the first proposal gets the focus, and Enter attaches to it; a search that was begun keeps it', async () => {
  const others = [byNumber, { claimId: 9, isByNumber: false, says: 'Patient, day agree' }];
  const asked: ((value: unknown) => void)[] = [];
  const { attached, open } = openDialog(() => new Promise((resolve) => asked.push(resolve)));
  (await findSearch()).focus();
  await waitFor(() => expect(asked).toHaveLength(1));
  asked[0]?.({ matches: others });
  const first = await screen.findByRole<HTMLInputElement>('radio', { name: /^Claim 7/ });
  await waitFor(() => expect(document.activeElement).toBe(first));
  expect(first.checked).toBe(false);
  expect(attachButton().disabled).toBe(true);
  await waitFor(() => expect(document.documentElement.hasAttribute('data-resting')).toBe(false));
  fireEvent.keyDown(first, { key: 'Enter' });
  await waitFor(() => expect(attached).toEqual([['first.txt', 7]]));

  open(requestOf('second'));
  await screen.findByText(/second\.txt/);
  const box = await findSearch();
  type(box, 'Smith');
  await waitFor(() => expect(asked).toHaveLength(2));
  asked[1]?.({ matches: others });
  await screen.findByRole('radio', { name: /^Claim 7/ });
  expect(document.activeElement).toBe(box);
});
