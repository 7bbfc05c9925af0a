/**
 * Makes the protocol small enough for a host page. What it takes out decides nothing here:
 *
 * - what only documents a contract: its sentences, its lists of errors, its origin rules;
 * - the schemas of what the loader sends: the types checked the sender, and the receiver parses;
 * - the list of error codes: a code from the dialog reaches the host as it is, also from a newer dialog.
 *
 * It also marks calls that run when a module loads as pure, so that schemas that nobody uses are left out.
 */
import type { Plugin } from 'vite'
import { childrenOf, type Edit, editSource, isNode, type Node, nameOf, replace } from './source-edits.ts'

/** The loader is the parent: it sends the questions that the child's rows take in, and its own rows' answers. */
const sentByTheLoader: Readonly<Record<string, string>> = { child: 'input', parent: 'output' }

const documentation = ['says', 'errors', 'parties', 'originRule']

export function slimProtocol(): Plugin {
  return {
    name: 'slim-protocol',
    enforce: 'pre',
    transform(code, id) {
      if (!/\/protocol\/[^?]*\.ts$/.test(id)) return undefined
      const [, file = ''] = /([\w-]+)\.ts$/.exec(id) ?? []
      const slim = editSource(id, code, slimFiles[file] ?? slimSentences)
      return { code: editSource(id, slim, markPure), map: null }
    },
  }
}

/** `path` is made of the keys on the way down: ['child', 'login'] is a row. */
function* slimContract(node: Node, path: readonly string[] = []): Generator<Edit> {
  if (isPicklist(node)) {
    yield replace(node, 'v.string()')
    return
  }
  if (node.type !== 'Property' || !isNode(node.value)) {
    for (const child of childrenOf(node)) yield* slimContract(child, path)
    return
  }
  const name = nameOf(node.key)
  // A spread of nothing stands where the property was, whatever commas are around it.
  if (documentation.includes(name) || isHeadless(node)) yield replace(node, '...{}')
  else if (name === sentByTheLoader[path[0] ?? '']) yield replace(node.value, 'v.unknown()')
  else yield* slimContract(node.value, [...path, name])
}

/** `v.picklist(loginMethods)`: a list that grows with the product. */
const isPicklist = ({ callee, arguments: list }: Node) =>
  isNode(callee) &&
  nameOf(callee.property) === 'picklist' &&
  Array.isArray(list) &&
  list[0]?.type === 'Identifier'

/** Of the policies the loader knows the one that sets a deadline. */
const isHeadless = ({ key, value }: Node) =>
  nameOf(key) === 'policy' && isNode(value) && value.value !== 'needs-user'

/** Writes another value for some of a file's constants. */
const withValues = (values: Readonly<Record<string, string>>) =>
  function* redefine(node: Node): Generator<Edit> {
    const value = node.type === 'VariableDeclarator' ? values[nameOf(node.id)] : undefined
    if (value !== undefined && isNode(node.init)) yield replace(node.init, value)
    else for (const child of childrenOf(node)) yield* redefine(child)
  }

const slimFiles: Readonly<Record<string, (program: Node) => Iterable<Edit>>> = {
  host: slimContract,
  errors: withValues({ isErrorCode: '(value: unknown): value is ErrorCode => true' }),
  'linked-account': withValues({
    walletAccountSchema: "v.looseObject({ type: v.literal('wallet'), address: text, ...times })",
    linkedAccountSchema: 'v.looseObject({ type: text, ...times })',
  }),
}

/** Any other error of the channel is an answer to the dialog, where a code says enough. */
const seenByHosts: readonly unknown[] = ['call_timeout', 'frame_reloaded', 'message_too_large']

function* slimSentences(node: Node): Generator<Edit> {
  if (
    node.type === 'NewExpression' &&
    nameOf(node.callee) === 'LatchkeyError' &&
    Array.isArray(node.arguments)
  ) {
    const [code, sentence] = node.arguments
    if (code?.type === 'Literal' && !seenByHosts.includes(code.value) && isNode(sentence))
      yield replace(sentence, `'${code.value}'`)
    return
  }
  for (const child of childrenOf(node)) yield* slimSentences(child)
}

function* markPure(node: Node): Generator<Edit> {
  // What a function calls is its own business.
  if (/Function/.test(node.type) || node.type === 'ClassBody') return
  if (node.type === 'CallExpression' || node.type === 'NewExpression') {
    yield { start: node.start, end: node.start, by: '/* @__PURE__ */ ' }
  }
  for (const child of childrenOf(node)) yield* markPure(child)
}
