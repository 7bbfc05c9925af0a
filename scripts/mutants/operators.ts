// What is wrong with a mutant: for each kind of node, what is written in its place.
//
// Sentences are for people and not decided upon: a text with a space in it is left as it is.

/** What the parser makes of a source; what else is in a node goes by its type. */
export type Node = {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}
export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' &&
  value !== null &&
  'type' in value &&
  typeof value.type === 'string' &&
  'start' in value &&
  typeof value.start === 'number'

const binary: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&': '|',
  '|': '&',
  '^': '&',
  '<<': '>>',
  '>>': '<<',
  '>>>': '<<',
}
const assignment: Readonly<Record<string, string>> = { '+=': '-=', '-=': '+=' }
const methods = new Map(Object.entries({ min: 'max', max: 'min', some: 'every', every: 'some' }))

const isText = (node: unknown) =>
  isNode(node) &&
  (node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string'))
const isSentence = (text: string) => /\s/.test(text)

type Of = (part: unknown) => string
const listOf = (field: unknown): readonly unknown[] => (Array.isArray(field) ? field : [])

/** `of` gives the source of a node. Each answers the ways in which the node may be wrong. */
export const expressionMutants: Readonly<Record<string, (node: Node, of: Of) => readonly string[]>> = {
  BinaryExpression: ({ left, operator, right }, of) => {
    const isJoin = operator === '+' && (isText(left) || isText(right))
    const other = binary[String(operator)]
    return other !== undefined && !isJoin ? [`${of(left)} ${other} ${of(right)}`] : []
  },
  LogicalExpression: ({ left, right }, of) => [of(left), of(right)],
  ConditionalExpression: ({ consequent, alternate }, of) => [of(consequent), of(alternate)],
  UnaryExpression: ({ operator, argument }, of) =>
    ['!', '-'].includes(String(operator)) ? [of(argument)] : [],
  AssignmentExpression: ({ left, operator, right }, of) => {
    const other = assignment[String(operator)]
    return other === undefined ? [] : [`${of(left)} ${other} ${of(right)}`]
  },
  AwaitExpression: ({ argument }, of) => [of(argument)],
  ArrayExpression: ({ elements }) => (listOf(elements).length > 0 ? ['[]'] : []),
  ObjectExpression: ({ properties }) => (listOf(properties).length > 0 ? ['{}'] : []),
  TemplateLiteral: ({ quasis }) =>
    listOf(quasis).some((quasi) => isSentence(cookedOf(quasi).trim())) ? [] : ["''"],
  Literal: ({ value, regex }) => {
    if (isRegex(regex)) return regexMutants(regex)
    if (typeof value === 'boolean') return [String(!value)]
    if (typeof value === 'number') return [String(value + 1)]
    if (typeof value === 'string') return isSentence(value) ? [] : [value === '' ? "'mutant'" : "''"]
    return []
  },
  CallExpression: ({ callee, arguments: given }, of) => {
    if (!isNode(callee) || callee.type !== 'MemberExpression' || callee.computed || callee.optional) return []
    const name = isNode(callee.property) ? callee.property.name : undefined
    // A condition of a query.
    if (name === 'where') return [of(callee.object)]
    const other = methods.get(String(name))
    const all = listOf(given)
    return other && all.length > 0 ? [`${of(callee.object)}.${other}(${all.map(of).join(', ')})`] : []
  },
}

type Regex = { readonly pattern: string; readonly flags: string }
const isRegex = (value: unknown): value is Regex =>
  typeof value === 'object' && value !== null && 'pattern' in value && 'flags' in value

const cookedOf = (quasi: unknown): string => {
  const value: unknown = isNode(quasi) ? quasi.value : undefined
  return typeof value === 'object' && value !== null && 'cooked' in value ? String(value.cooked) : ''
}

const regexMutants = ({ pattern, flags }: Regex) => {
  const others: string[] = []
  if (pattern.startsWith('^')) others.push(pattern.slice(1))
  if (pattern.endsWith('$')) others.push(pattern.slice(0, -1))
  return others.map((other) => `/${other}/${flags}`)
}

/** What is asked, in an `if` or a loop; a loop without an end is no mutant that a test could tell us of. */
export const testMutants: Readonly<Record<string, readonly string[]>> = {
  IfStatement: ['true', 'false'],
  WhileStatement: ['false'],
  ForStatement: ['false'],
}
