import { parseSync } from 'vite'

/** Small edits of a source, found in its syntax tree. */
export type Node = { readonly type: string; readonly start: number; readonly end: number } & Readonly<
  Record<string, unknown>
>
export type Edit = { readonly start: number; readonly end: number; readonly by: string }

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value

export function* childrenOf(node: Node): Generator<Node> {
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) yield* value.filter(isNode)
    else if (isNode(value)) yield value
  }
}

export const nameOf = (node: unknown): string => (isNode(node) ? String(node.name ?? '') : '')

export const replace = ({ start, end }: Node, by: string): Edit => ({ start, end, by })

export function editSource(id: string, code: string, find: (program: Node) => Iterable<Edit>): string {
  const { program, errors } = parseSync(id, code)
  if (errors[0] || !isNode(program)) throw new Error(`${id}: ${errors[0]?.message}`)
  return [...find(program)]
    .sort((a, b) => b.start - a.start)
    .reduce((text, { start, end, by }) => text.slice(0, start) + by + text.slice(end), code)
}
