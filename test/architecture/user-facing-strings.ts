import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseSync } from 'vite';

/** A text that users may read, and where it is written. */
export interface UserFacingString {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

type SyntaxNode = Record<string, unknown> & { readonly type: string; readonly start: number };

/** Attributes and properties that hold names for programs, even where such a name has a space in it. */
const codeNames = new Set(['className', 'href', 'key', 'id', 'to', 'rel', 'd', 'sandbox', 'autoComplete']);

/** Attributes and properties that people read, even where the text is one lower-case word. */
const textNames = new Set(
  `aria-label alt title label placeholder description text emptyText header head does message nextStep sentence
  remedy reason meaning what one many words`.split(/\s+/),
);

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';

/** One lower-case word is a name for programs; what has a space or begins with a capital letter is read by people. */
const isProse = (text: string): boolean =>
  /[A-Za-z]/.test(text) && (/\s/.test(text) || /^\p{Lu}/u.test(text));

const collapse = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Returns the name of a JSX attribute or of an object's property. */
function nameOf(node: SyntaxNode): string {
  const name = node[node.type === 'JSXAttribute' ? 'name' : 'key'];
  if (!isNode(name)) return '';
  return String(name.name ?? name.value ?? '');
}

/** The parts of a template, or of what is inside an element, as one text with `{}` for what is filled in. */
function joinParts(node: SyntaxNode): string | null {
  if (node.type === 'TemplateLiteral') {
    const parts = node.quasis as readonly { value: { cooked: string | null } }[];
    return parts.map(({ value }) => value.cooked ?? '').join('{}');
  }
  if (node.type !== 'JSXElement' && node.type !== 'JSXFragment') return null;
  const children = node.children as readonly SyntaxNode[];
  const isText = (child: SyntaxNode) => child.type === 'JSXText';
  if (!children.some((child) => isText(child) && /[A-Za-z]/.test(String(child.value)))) return null;
  return children.map((child) => (isText(child) ? String(child.value) : '{}')).join('');
}

/** Imports and types hold no text; `as` and `satisfies` do. */
const isWithoutText = ({ type }: SyntaxNode): boolean =>
  (type.startsWith('Import') && type !== 'ImportExpression') ||
  (type.startsWith('TS') && !type.endsWith('Expression'));

/**
 * Returns every text in a source that users may read: what JSX shows, and each string or template that has a
 * space, begins with a capital letter, or has a name of `textNames`. Module names, property names, types,
 * class names and keys are left out.
 *
 * @throws Error where the source cannot be parsed
 */
export function readStrings(file: string, code: string): UserFacingString[] {
  const { program, errors } = parseSync(file, code);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  const found: UserFacingString[] = [];
  const visit = (node: SyntaxNode, isNamedText: boolean): void => {
    if (isWithoutText(node)) return;
    let isText = isNamedText;
    if (node.type === 'JSXAttribute' || node.type === 'Property') {
      const name = nameOf(node);
      if (codeNames.has(name)) return;
      isText = textNames.has(name);
    }
    const value = node.type === 'Literal' ? node.value : joinParts(node);
    const isShown = node.type === 'JSXElement' || node.type === 'JSXFragment';
    if (typeof value === 'string' && (isShown || isText || isProse(collapse(value)))) {
      // A table writes a sentence and its next step as one text.
      for (const text of collapse(value).split(' → '))
        found.push({ file, line: code.slice(0, node.start).split('\n').length, text });
    }
    for (const [name, child] of Object.entries(node)) {
      if (name === 'source' || (name === 'key' && node.computed !== true)) continue;
      for (const one of Array.isArray(child) ? child : [child]) if (isNode(one)) visit(one, isText);
    }
  };
  visit(program as unknown as SyntaxNode, false);
  return found;
}

function listSources(path: string): string[] {
  if (/\.tsx?$/.test(path)) return [path];
  return readdirSync(path).flatMap((name) =>
    /\.tsx?$/.test(name) || !name.includes('.') ? listSources(join(path, name)) : [],
  );
}

/** The same of every source below some folders or files of the project. */
export function collectStrings(root: string, paths: readonly string[]): UserFacingString[] {
  return paths
    .flatMap((path) => listSources(join(root, path)))
    .flatMap((path) => readStrings(relative(root, path).replaceAll('\\', '/'), readFileSync(path, 'utf8')));
}

/** The prose of a document, a line each: code, file names and addresses stay out. */
export function readProse(root: string, file: string): UserFacingString[] {
  const text = readFileSync(join(root, file), 'utf8')
    .replaceAll(/```[\s\S]*?```/g, (block) => block.replaceAll(/[^\n]/g, ''))
    .replaceAll(/`[^`\n]*`|\]\([^)]*\)/g, '{}');
  return text.split('\n').map((line, index) => ({ file, line: index + 1, text: collapse(line) }));
}
