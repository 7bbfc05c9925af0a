/** A source as its syntax tree and its text, which is edited by positions, so that its formatting stays. */
import { parse } from '@babel/parser'
import traverse, { type NodePath } from '@babel/traverse'
import type * as t from '@babel/types'
import { Edits } from './edits.ts'
import type { Heading } from './guide.ts'

/** What is known of the project that a file belongs to. */
export type Project = {
  /** The major version of `@privy-io/react-auth` in its package.json, if that says one. */
  privyMajor?: number | undefined
  bundler?: 'next' | 'vite' | 'create-react-app' | undefined
}

export type Change = { line: number; message: string }
export type Note = Change & { heading: Heading }

export type SourceFile = {
  path: string
  source: string
  project: Project
  program: NodePath<t.Program>
  text: Edits
  changes: Change[]
  notes: Note[]
  changed(node: t.Node, message: string): void
  /** Names what stays as it is, and why. The same sentence is said once a line. */
  left(node: t.Node, message: string, heading: Heading): void
  textOf(node: t.Node): string
}

const isTyped = (path: string) => /\.tsx?$/.test(path)

/** The tree of a file, or undefined if the file does not parse. */
export function programOf(path: string, source: string): NodePath<t.Program> | undefined {
  try {
    const tree = parse(source, {
      sourceType: 'unambiguous',
      allowReturnOutsideFunction: true,
      plugins: [
        ...(isTyped(path) ? (['typescript'] as const) : []),
        // In a `.ts` file `<T>x` is a type assertion, and there is no JSX.
        ...(path.endsWith('.ts') ? [] : (['jsx'] as const)),
        'decorators',
      ],
    })
    let program: NodePath<t.Program> | undefined
    traverse(tree, {
      Program(found) {
        program = found
        found.stop()
      },
    })
    return program
  } catch {
    return undefined
  }
}

export function openSource(path: string, source: string, project: Project): SourceFile | undefined {
  const program = programOf(path, source)
  if (!program) return undefined
  const changes: Change[] = []
  const notes: Note[] = []
  const lineOf = (node: t.Node) => node.loc?.start.line ?? 1
  return {
    path,
    source,
    project,
    program,
    text: new Edits(source),
    changes,
    notes,
    changed(node, message) {
      changes.push({ line: lineOf(node), message })
    },
    left(node, message, heading) {
      const line = lineOf(node)
      if (notes.some((note) => note.line === line && note.message === message)) return
      notes.push({ line, message, heading })
    },
    textOf: (node) => source.slice(...rangeOf(node)),
  }
}

export const rangeOf = (node: t.Node): [start: number, end: number] => [node.start ?? 0, node.end ?? 0]

export function replace({ text }: SourceFile, node: t.Node, content: string): void {
  text.update(...rangeOf(node), content)
}

/** Removes what is around a node in another one, so that it keeps its form. */
export function onlyThis({ text }: SourceFile, around: t.Node, node: t.Node) {
  text.remove(around.start ?? 0, node.start ?? 0)
  text.remove(node.end ?? 0, around.end ?? 0)
}

/** Removes a node with the comma behind it, and the line if nothing else is on it. */
export function removeFromList({ text, source }: SourceFile, node: t.Node): void {
  let [start, end] = rangeOf(node)
  const indentation = /(?<![^\S\n])[^\S\n]*$/.exec(source.slice(0, start))?.[0].length ?? 0
  const comma = /^\s*,/.exec(source.slice(end))?.[0].length
  if (comma !== undefined) end += comma
  const startsLine = source[start - indentation - 1] === '\n'
  const restOfLine = /^[^\S\n]*\n/.exec(source.slice(end))?.[0].length
  if (startsLine && restOfLine !== undefined) {
    start -= indentation
    end += restOfLine
  } else if (comma !== undefined) {
    end += /^[^\S\n]*/.exec(source.slice(end))?.[0].length ?? 0
  } else {
    start -= indentation
    if (source[start - 1] === ',') start -= 1
  }
  text.remove(start, end)
}

export const quoteOf = ({ textOf }: SourceFile, node: t.Node): string => textOf(node)[0] ?? "'"
export const lineEndOf = ({ source }: SourceFile): string => (source.includes('\r\n') ? '\r\n' : '\n')
