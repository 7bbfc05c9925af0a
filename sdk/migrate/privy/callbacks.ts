/** Migrates hook callbacks: the positional arguments of Privy 1 become one object. */
import type * as t from '@babel/types'
import {
  type FunctionPath,
  findMembers,
  findUses,
  functionAt,
  getEntries,
  getKeyName,
  objectAt,
} from './flow.ts'
import type { HookCall } from './hooks.ts'
import { callbackValues } from './names.ts'
import { getRange, type SourceFile } from './source-file.ts'

export function migrateCallbacks(file: SourceFile, { name, options }: HookCall): void {
  const object = options && objectAt(options)
  const callbacks = callbackValues[name]
  if (options && !object && callbacks) {
    file.left(options.node, 'The callbacks come from elsewhere: each gets one object', 'user')
  }
  if (!object) return
  const { entries, others } = getEntries(object)
  for (const path of others) {
    if (path.isObjectMethod() && !path.node.computed) {
      const values = callbacks?.[getKeyName(path.node.key) ?? '']
      if (values) migrateCallback(file, path as FunctionPath, values)
    } else file.left(path.node, 'This callback is left as it is: each gets one object', 'user')
  }
  for (const { name: callback, path, value } of entries) {
    if (name === 'useToken' && callback === 'onAccessTokenGranted') migrateToken(file, functionAt(value))
    const values = callbacks?.[callback]
    if (!values) continue
    const callbackFunction = functionAt(value)
    if (callbackFunction) migrateCallback(file, callbackFunction, values)
    else
      file.left(
        path.node,
        `\`${callback}\` comes from elsewhere: it gets one object, with ${formatNames(values)}`,
        'user',
      )
  }
}

const formatNames = (values: string[]) => values.map((value) => `\`${value}\``).join(', ')

function migrateCallback(file: SourceFile, callback: FunctionPath, values: string[]) {
  const parameters = callback.node.params
  const [first] = parameters
  if (!first) return
  const names = parameters.map((parameter) => (parameter.type === 'Identifier' ? parameter.name : undefined))
  const isTyped = parameters.some((parameter) => parameter.type === 'Identifier' && parameter.typeAnnotation)
  const left = () =>
    file.left(
      callback.node,
      `This callback is left as it is: it gets one object, with ${formatNames(values)}`,
      'user',
    )
  if (parameters.length === 1 && takesObject(file, callback, values))
    return noteValues(file, callback, values)
  if (isTyped || names.includes(undefined) || parameters.length > values.length) return left()
  if (parameters.length === 1 && file.project.privyMajor !== 1) return left()
  if (values.includes('hash')) return left()
  // Unused parameters are omitted from the pattern.
  const used = names.flatMap((name = '', at) => {
    const value = values[at] ?? ''
    if (findUses(callback.scope, name).length === 0) return []
    return [{ value, text: name === value ? name : `${value}: ${name}` }]
  })
  const pattern = used.length === 0 ? '' : `{ ${used.map(({ text }) => text).join(', ')} }`
  const [start] = getRange(first)
  const end = (parameters.at(-1) ?? first).end ?? 0
  const isBare =
    file.source[start - 1] !== '(' &&
    callback.node.type === 'ArrowFunctionExpression' &&
    !/\(\s*$/.test(file.source.slice(0, start))
  file.text.update(start, end, isBare ? `(${pattern})` : pattern)
  file.changed(callback.node, 'The callback gets one object')
  for (const { value } of used) note(file, callback, value)
}

/** Returns whether a callback already takes one object, judging by its pattern or uses. */
function takesObject({ project }: SourceFile, callback: FunctionPath, values: string[]): boolean {
  const [parameter] = callback.node.params
  if (parameter?.type === 'ObjectPattern') {
    return parameter.properties.every(
      (property) => property.type === 'ObjectProperty' && values.includes(getKeyName(property.key) ?? ''),
    )
  }
  if (parameter?.type !== 'Identifier' || project.privyMajor === 1) return false
  const uses = findUses(callback.scope, parameter.name)
  if (project.privyMajor !== undefined) return true
  return (
    uses.length > 0 &&
    uses.every((use) => {
      const members = findMembers(use)
      return members.length > 0 && members.every(({ name }) => values.includes(name))
    })
  )
}

function noteValues(file: SourceFile, callback: FunctionPath, values: string[]) {
  const [parameter] = callback.node.params
  if (parameter?.type !== 'ObjectPattern') return
  for (const value of values) {
    const isTaken = parameter.properties.some(
      (property) => property.type === 'ObjectProperty' && getKeyName(property.key) === value,
    )
    if (isTaken) note(file, callback, value)
  }
}

function note(file: SourceFile, { node }: FunctionPath, value: string) {
  if (value === 'wasAlreadyAuthenticated') {
    file.left(
      node,
      '`onComplete` is never called because the page was reloaded: to learn who is there, read `user`',
      'user',
    )
  }
  if (value === 'linkMethod') {
    file.left(node, '`linkMethod` is spelled as in the name of the call, such as `Email` or `Google`', 'user')
  }
}

/** Migrates `onAccessTokenGranted`, which receives the token itself. */
function migrateToken(file: SourceFile, callback: FunctionPath | undefined) {
  const [parameter] = callback?.node.params ?? []
  if (!callback || parameter?.type !== 'ObjectPattern') return
  const [property] = parameter.properties
  const isPlain =
    parameter.properties.length === 1 &&
    property?.type === 'ObjectProperty' &&
    getKeyName(property.key) === 'accessToken' &&
    property.value.type === 'Identifier' &&
    !parameter.typeAnnotation
  if (!isPlain || property?.type !== 'ObjectProperty') {
    return file.left(callback.node, '`onAccessTokenGranted` gets the token itself', 'user')
  }
  file.text.update(...getRange(parameter), (property.value as t.Identifier).name)
  file.changed(callback.node, '`onAccessTokenGranted` gets the token itself')
}
