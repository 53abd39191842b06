import { Table } from '@mantine/core';
import {
  type ReviewEffect,
  reviewEffects,
  reviewedFields,
  reviewedLineFields,
} from '../../../contract/reviewed-values.ts';

const effectLabels: Readonly<Record<ReviewEffect, string>> = {
  reopen: 'Reopens a done claim as Changed',
  noted: 'Shown with the review, but doesn’t reopen it',
  ignored: 'Ignored',
};

/** The fields of an effect by their labels; those of lines are told apart. */
export function labelsOf(effect: ReviewEffect): { claim: string[]; line: string[] } {
  const of = (fields: typeof reviewedFields) => [
    ...new Set(fields.filter((field) => field.effect === effect).map(({ label }) => label)),
  ];
  return { claim: of(reviewedFields), line: of(reviewedLineFields) };
}

/** What a change that a sync brings does to a claim that was done. */
export function ReopenTable() {
  return (
    <Table verticalSpacing={4} aria-label="What reopens a review">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>A sync changes</Table.Th>
          <Table.Th>On the claim</Table.Th>
          <Table.Th>On its lines</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {reviewEffects.map((effect) => {
          const { claim, line } = labelsOf(effect);
          return (
            <Table.Tr key={effect}>
              <Table.Td valign="top">{effectLabels[effect]}</Table.Td>
              <Table.Td valign="top">{claim.join(', ')}</Table.Td>
              <Table.Td valign="top">{line.length === 0 ? '—' : line.join(', ')}</Table.Td>
            </Table.Tr>
          );
        })}
      </Table.Tbody>
    </Table>
  );
}
