/** A source file as syntax tree and text. Edits use positions, so that the formatting is preserved. */
import { parse } from '@babel/parser'
import traverse, { type NodePath } from '@babel/traverse'
import type * as t from '@babel/types'
import { Edits } from './edits.ts'
import type { Heading } from './guide.ts'

/** Data about the project of a file. */
export type Project = {
  /** The major version of `@privy-io/react-auth` in its package.json, if known. */
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
  /** Notes a place that stays unchanged, with the reason. Repeated notes on a line are dropped. */
  left(node: t.Node, message: string, heading: Heading): void
  getText(node: t.Node): string
}

const isTyped = (path: string) => /\.tsx?$/.test(path)

/** Parses a file. Returns undefined if it does not parse. */
export function parseProgram(path: string, source: string): NodePath<t.Program> | undefined {
  try {
    const tree = parse(source, {
      sourceType: 'unambiguous',
      allowReturnOutsideFunction: true,
      plugins: [
        ...(isTyped(path) ? (['typescript'] as const) : []),
        // In a `.ts` file `<T>x` is a type assertion, and JSX is not allowed.
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
  const program = parseProgram(path, source)
  if (!program) return undefined
  const changes: Change[] = []
  const notes: Note[] = []
  const getLine = (node: t.Node) => node.loc?.start.line ?? 1
  return {
    path,
    source,
    project,
    program,
    text: new Edits(source),
    changes,
    notes,
    changed(node, message) {
      changes.push({ line: getLine(node), message })
    },
    left(node, message, heading) {
      const line = getLine(node)
      if (notes.some((note) => note.line === line && note.message === message)) return
      notes.push({ line, message, heading })
    },
    getText: (node) => source.slice(...getRange(node)),
  }
}

export const getRange = (node: t.Node): [start: number, end: number] => [node.start ?? 0, node.end ?? 0]

export function replace({ text }: SourceFile, node: t.Node, content: string): void {
  text.update(...getRange(node), content)
}

/** Removes everything around a node within another node, so that it keeps its formatting. */
export function onlyThis({ text }: SourceFile, around: t.Node, node: t.Node) {
  text.remove(around.start ?? 0, node.start ?? 0)
  text.remove(node.end ?? 0, around.end ?? 0)
}

/** Removes a node with its trailing comma, and with the line if nothing else is on it. */
export function removeFromList({ text, source }: SourceFile, node: t.Node): void {
  let [start, end] = getRange(node)
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

export const getQuote = ({ getText }: SourceFile, node: t.Node): string => getText(node)[0] ?? "'"
export const getLineEnd = ({ source }: SourceFile): string => (source.includes('\r\n') ? '\r\n' : '\n')
