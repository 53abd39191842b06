import type { MarkedToken } from 'marked';
import { expect, it } from 'vitest';
import {
  findCommands,
  findLinked,
  findPicture,
  helpTopics,
  listPieces,
} from '../../../../../src/renderer/features/help/help-topics.ts';
import { childrenOf } from '../../../../../src/renderer/features/help/read-document.ts';
import { findMarks, searchHelp, splitWords } from '../../../../../src/renderer/features/help/search-help.ts';

const titlesOf = (typed: string): string[] => searchHelp(typed).map(({ topic }) => topic.title);

it('has the guide, the keys and every command, each under its own ID', () => {
  const titles = helpTopics.map(({ title }) => title);
  expect(titles).toEqual(expect.arrayContaining(['Recovery', 'Lists', 'claimdesk sync']));
  expect(new Set(helpTopics.map(({ id }) => id)).size).toBe(helpTopics.length);
  for (const topic of helpTopics) expect(listPieces(topic), topic.title).not.toEqual([]);
});

it('finds words of titles first, in any order, by their beginnings, ignoring accents and case', () => {
  expect(titlesOf('lost keychain')[0]).toBe('A lost keychain');
  expect(titlesOf('KEYCHAIN lost')[0]).toBe('A lost keychain');
  expect(titlesOf('keych')).toContain('A lost keychain');
  expect(titlesOf('days réview')).not.toEqual([]);
  expect(titlesOf("day's")[0]).toBe("A day's review");
  expect(titlesOf('day’s')[0]).toBe("A day's review");
});

it('finds commands by their options and keys by what they do', () => {
  expect(titlesOf('may-lose')).toContain('claimdesk store');
  expect(titlesOf('lock claimdesk')).toContain('Everywhere');
});

it('finds something in spite of a word that occurs nowhere, and nothing for nothing', () => {
  expect(titlesOf('keychain xylophone')[0]).toBe('A lost keychain');
  expect(titlesOf('xylophone')).toEqual([]);
  expect(titlesOf('  ')).toEqual([]);
});

it('answers what people ask', () => {
  const answers = {
    'why is this open': 'Why an amount is open, or less than patient responsibility',
    copay: 'Why an amount is open, or less than patient responsibility',
    'why less than patient responsibility': 'Why an amount is open, or less than patient responsibility',
    'why is it here in this list': 'Why a claim is in a list',
    'what does this decision do': 'What each decision does',
    denied: 'Denied claims, appeals, and deadlines',
    'send to payroll': 'Pay, and send to payroll',
    'decided twice': 'Decided twice, paid twice',
    'deductible met': 'Deductible, out-of-pocket maximum, and accounts',
    'forgot my passphrase': 'Recovery',
    'how do I rotate a key': 'Keys and rotation',
    'add a member': 'Members and carrier connections',
    'print claims': 'Export',
    'privacy mode': 'Privacy on the screen',
    'proxy or certificate': 'First run',
    'my organization': 'Rules of your organization',
  };
  const found = Object.keys(answers).map((typed) => [typed, titlesOf(typed)[0]]);
  expect(Object.fromEntries(found)).toEqual(answers);
  expect(titlesOf('how do I')).not.toEqual([]);
});

it('shows part of the topic with the words in it, and marks them', () => {
  const [match] = searchHelp('recovery code sets');
  expect(match?.topic.title).toBe('Recovery');
  expect(match?.excerpt.length).toBeLessThan(160);
  const marks = findMarks(match?.excerpt ?? '', splitWords('recovery code sets'));
  expect(marks.map(([from, to]) => match?.excerpt.slice(from, to))).toEqual(
    expect.arrayContaining(['recovery', 'code', 'sets']),
  );
  expect(findMarks('Élodie’s keys', splitWords('elodie KEY'))).toEqual([
    [0, 6],
    [9, 12],
  ]);
});

const tokensOf = (token: MarkedToken): MarkedToken[] => [token, ...childrenOf(token).flatMap(tokensOf)];
const allTokens = helpTopics.flatMap(({ blocks }) =>
  blocks.flatMap((block) => (block.type === 'keys' ? [] : tokensOf(block))),
);

it('has every picture of the guide, each with a description', () => {
  const pictures = allTokens.filter((token) => token.type === 'image');
  expect(pictures.length).toBeGreaterThanOrEqual(8);
  expect(pictures.filter(({ href }) => findPicture(href) === undefined)).toEqual([]);
  expect(pictures.filter(({ text }) => text.length < 20)).toEqual([]);
  expect(findPicture('pictures/guide-nothing.png')).toBeUndefined();
});

it('leads from every link of the documents to a topic, and from commands to their help', () => {
  const targets = allTokens.flatMap((token) => (token.type === 'link' ? [token.href] : []));
  expect(targets.length).toBeGreaterThan(3);
  expect(targets.filter((to) => findLinked(to) === undefined)).toEqual([]);
  expect(findLinked('cli.md#export')?.title).toBe('claimdesk export');
  expect(findLinked('https://example.com')).toBeUndefined();
  expect(
    findCommands('claimdesk key list\nclaimdesk sync\nclaimdesk key rotate').map(({ title }) => title),
  ).toEqual(['claimdesk key', 'claimdesk sync']);
});
